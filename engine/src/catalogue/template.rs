//! Templates of sentences, and how references fill their places ([`fill`]).
//!
//! ```
//! use edgehill_engine::catalogue::fill;
//! use edgehill_engine::reference::Ref;
//!
//! let name = |what: Ref, _: Option<&str>| if let Ref::Number(number) = what { number.to_string() } else { "Rupert".to_owned() };
//! let template = "{0} {0|army|armies}{1..piece| with |}: gone";
//! assert_eq!(fill(template, &[Ref::Number(2), Ref::Piece(7)], name).text, "2 armies with Rupert: gone");
//! assert_eq!(fill(template, &[Ref::Number(1)], name).text, "1 army: gone");
//! ```

use crate::reference::Ref;

/// A template filled in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filled {
    /// The sentence; a place that no reference fills stands in it as it is written.
    pub text: String,
    /// Places of the references that the template does not name, in order.
    pub unnamed: Vec<usize>,
    /// Places of the template that no reference fills, as they are written.
    pub unfilled: Vec<String>,
}

/// Fills the places of `template`, in the words of `name`: of a reference, or of its value for a marker.
///
/// - `{0}` is the first reference by its name, `{-1}` the last.
/// - `{0|block|blocks}` is the first word where that reference is the number 1 or a thing, and the second where it is another
///   number. `{0||}` says nothing: the reference is there for programs.
/// - `{0@turn}` is what the number stands for as a value of the marker `turn`: its name there.
/// - `{2..}` lists the references from the third on; `{2..piece}` those of them that are pieces (or `space`, `number`). There may
///   be none. `{2..| with |, too|alone}` has one text before the list, one behind it, and one in its stead; `{2..||}` says nothing.
#[must_use]
pub fn fill(template: &str, refs: &[Ref], name: impl Fn(Ref, Option<&str>) -> String) -> Filled {
    let mut filled = Filled::default();
    let mut named = vec![false; refs.len()];
    let mut rest = template;
    while let Some((before, opened)) = rest.split_once('{') {
        filled.text.push_str(before);
        let Some((written, after)) = opened.split_once('}') else {
            filled.text.push('{');
            rest = opened;
            continue;
        };
        rest = after;
        match Place::read(written).and_then(|place| place.text(refs, &mut named, &name)) {
            Some(text) => filled.text.push_str(&text),
            None => {
                filled.unfilled.push(written.to_owned());
                filled.text.push_str(&format!("{{{written}}}"));
            }
        }
    }
    filled.text.push_str(rest);
    filled.unnamed = (0..refs.len()).filter(|&index| !named[index]).collect();
    filled
}

/// A place of a template.
struct Place<'a> {
    /// Index of the reference, or of the first of a list; below 0 it is counted from the end.
    index: isize,
    /// For a list: the kind of its references, or nothing for all.
    list: Option<&'a str>,
    /// The marker whose value a number is.
    marker: Option<&'a str>,
    /// Texts behind the index.
    forms: Vec<&'a str>,
}

impl<'a> Place<'a> {
    fn read(written: &'a str) -> Option<Self> {
        let mut parts = written.split('|');
        let index = parts.next()?;
        let split =
            |text: &'a str, by| text.split_once(by).map_or((text, None), |(text, rest)| (text, Some(rest)));
        let (index, marker) = split(index, "@");
        let (index, list) = split(index, "..");
        Some(Self { index: index.parse().ok()?, list, marker, forms: parts.collect() })
    }

    /// The text in this place; `None` if no reference fills it.
    fn text(
        &self,
        refs: &[Ref],
        named: &mut [bool],
        name: impl Fn(Ref, Option<&str>) -> String,
    ) -> Option<String> {
        let silent = self.forms.len() > 1 && self.forms.iter().all(|form| form.is_empty());
        let index =
            if self.index < 0 { refs.len().checked_add_signed(self.index)? } else { self.index as usize };
        let Some(kind) = self.list else {
            let what = *refs.get(index)?;
            named[index] = true;
            return Some(match self.forms[..] {
                [] => name(what, self.marker),
                [_, more, ..] if is_several(what) => more.to_owned(),
                [one, ..] => one.to_owned(),
            });
        };
        let mut names = Vec::new();
        for (place, &what) in refs.iter().enumerate().skip(index).filter(|(_, what)| is_of(**what, kind)) {
            named[place] = true;
            names.push(name(what, self.marker));
        }
        let form = |index: usize| self.forms.get(index).copied().unwrap_or_default();
        Some(match names.split_last() {
            _ if silent => String::new(),
            None => form(2).to_owned(),
            Some((last, [])) => format!("{}{last}{}", form(0), form(1)),
            Some((last, others)) => format!("{}{} and {last}{}", form(0), others.join(", "), form(1)),
        })
    }
}

/// Returns whether a word about `what` stands for more than one, or for none.
const fn is_several(what: Ref) -> bool {
    matches!(what, Ref::Number(number) if number != 1 && number != -1)
}

/// Returns whether a list of this kind has `what` in it.
fn is_of(what: Ref, kind: &str) -> bool {
    match kind {
        "" => true,
        "piece" => matches!(what, Ref::Piece(_)),
        "space" => matches!(what, Ref::Space(_)),
        "number" => matches!(what, Ref::Number(_)),
        _ => false,
    }
}
