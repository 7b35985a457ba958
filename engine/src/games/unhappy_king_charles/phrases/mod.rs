//! Templates: prompts, events, endings, refusals, by chapter.

mod battles;
mod cards;
mod mandatory;
mod movement;
mod odds;
mod prompts;
mod refusals;
mod sequence;

/// Code and template of each.
pub(super) fn phrases() -> impl Iterator<Item = (&'static str, &'static str)> {
    let chapters = [
        prompts::PHRASES,
        sequence::PHRASES,
        cards::PHRASES,
        movement::PHRASES,
        battles::PHRASES,
        mandatory::PHRASES,
        odds::PHRASES,
        refusals::PHRASES,
    ];
    chapters.into_iter().flatten().copied()
}
