//! Declaration of a game's type ([`game!`](crate::game!)), and its answers to the contract by the files of its folder
//! ([`game_parts!`](crate::game_parts)).

/// Declares the type of a game: its id, and the files of its content.
///
/// It gives `ID`, `builtin` and `load`, and the fields `content`, by `Content::load`, `catalogue` and `actions`, by
/// `catalogue::build`, and `cards`, the layout of its piles with the backs that `Content::backs` names.
#[macro_export]
macro_rules! game {
    ($(#[$about:meta])* pub struct $Game:ident, $id:literal: $($file:literal),+ $(,)?) => {
        $(#[$about])*
        #[derive(Debug)]
        pub struct $Game {
            content: content::Content,
            catalogue: $crate::catalogue::Catalogue,
            actions: $crate::action::ActionIndex<actions::Action>,
            cards: $crate::cards::CardLayout,
        }

        impl $Game {
            /// Its id in the catalogue.
            pub const ID: &str = $id;

            /// The content that comes with the engine.
            #[must_use]
            pub fn builtin() -> $crate::content::ContentFiles {
                $crate::builtin_content!($id: $($file),+)
            }

            /// Reads the game's content.
            ///
            /// # Errors
            /// Every fault of the content, by file, record and field.
            pub fn load(files: &$crate::content::ContentFiles) -> Result<Self, $crate::content::ContentErrors> {
                let content = content::Content::load(files)?;
                let (catalogue, actions) = catalogue::build(&content, files)?;
                let cards = $crate::cards::CardLayout::new(&catalogue.piles, content.backs());
                Ok(Self { content, catalogue, actions, cards })
            }
        }
    };
}

/// Answers the contract, within `impl Game for ..`, by the files of a game's folder that are named: each by the function that every game
/// has in such a file.
///
/// * `catalogue`: the field of this name;
/// * `position`: `position::read`;
/// * `flow`: `offer_action`, `examine_action`, `apply_action` and `resolve_outcome`, the last two until somebody is asked (`settle`);
/// * `view`: `view::board` and `view::known`;
/// * `turn_state`, `resample`, `scramble`: the functions of these names;
/// * `codec`: the kind that the state is of ([`coded!`](crate::coded)), with bounds by the field `content`.
#[macro_export]
macro_rules! game_parts {
    ($($part:ident),+ $(,)?) => { $($crate::game_parts!(@ $part);)+ };
    (@ catalogue) => {
        fn catalogue(&self) -> &$crate::catalogue::Catalogue {
            &self.catalogue
        }
    };
    (@ position) => {
        fn position(
            &self,
            setup: &$crate::setup::Setup,
            position: &serde_json::Value,
        ) -> Result<Self::State, $crate::position::PositionError> {
            position::read(self, setup, position)
        }
    };
    (@ flow) => {
        fn candidates(
            &self,
            state: &Self::State,
            seat: $crate::seat::Seat,
            into: &mut Vec<$crate::action::ActionId>,
        ) {
            self.offer_action(state, seat, &mut |action| into.push(self.actions.id(action)));
        }

        fn examine(
            &self,
            state: &Self::State,
            seat: $crate::seat::Seat,
            action: $crate::action::ActionId,
            why: &mut $crate::refusal::Why,
        ) -> std::ops::ControlFlow<()> {
            self.examine_action(state, seat, self.actions.get(action), why)
        }

        fn apply(
            &self,
            state: &mut Self::State,
            seat: $crate::seat::Seat,
            action: $crate::action::ActionId,
            out: &mut $crate::event::Events,
        ) {
            self.apply_action(state, seat, self.actions.get(action), out);
            self.settle(state, out);
        }

        fn resolve(
            &self,
            state: &mut Self::State,
            outcome: &$crate::chance::Outcome,
            out: &mut $crate::event::Events,
        ) {
            self.resolve_outcome(state, outcome, out);
            self.settle(state, out);
        }
    };
    (@ view) => {
        fn board(&self, state: &Self::State, observer: $crate::seat::Observer) -> $crate::view::Board {
            view::board(self, state, observer)
        }

        fn known(&self, state: &Self::State, observer: $crate::seat::Observer) -> Vec<$crate::view::HiddenSet> {
            view::known(self, state, observer)
        }
    };
    (@ turn_state) => {
        fn turn_state(&self, state: &Self::State, observer: $crate::seat::Observer) -> $crate::view::TurnState {
            turn_state::turn_state(self, state, observer)
        }
    };
    (@ resample) => {
        fn resample(
            &self,
            setup: &$crate::setup::Setup,
            view: &$crate::view::View,
            rng: &mut dyn rand_core::Rng,
        ) -> Self::State {
            resample::resample(self, setup, view, rng)
        }
    };
    (@ scramble) => {
        fn scramble(&self, state: &Self::State, seat: $crate::seat::Seat, rng: &mut dyn rand_core::Rng) -> Self::State {
            scramble::scramble(self, state, seat, rng)
        }
    };
    (@ codec) => {
        fn encode(&self, state: &Self::State, into: &mut $crate::codec::Writer) {
            <Self::State as $crate::codec::Coding<_>>::encode(state, into);
        }

        fn decode(&self, from: &mut $crate::codec::Reader<'_>) -> Result<Self::State, $crate::codec::DecodeError> {
            <Self::State as $crate::codec::Coding<_>>::decode(&self.content, from)
        }
    };
}
