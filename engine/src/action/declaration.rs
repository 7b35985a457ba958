//! Declaration of a game's actions ([`actions!`](crate::actions)), each once: of each the variant that rules match on, its verb, the
//! things that it is about with their references and words, and both ways between ids and actions.

use arrayvec::ArrayVec;

use crate::numbered::Numbered;
use crate::reference::Ref;
use crate::seat::Seat;

use super::{ACTION_REFS_MAX, ActionId, ActionTable, ActionTableError, VerbKind};

impl Numbered for u8 {
    fn new(number: usize) -> Self {
        number as Self
    }

    fn index(self) -> usize {
        self.into()
    }
}

impl Numbered for u16 {
    fn new(number: usize) -> Self {
        number as Self
    }

    fn index(self) -> usize {
        self.into()
    }
}

impl Numbered for Seat {
    fn new(number: usize) -> Self {
        Self::new(number as u8)
    }

    fn index(self) -> usize {
        self.index()
    }
}

/// A kind of thing that actions are about. `C` is what it is counted in: the content of a game.
pub trait ActionThing<C> {
    /// The values that stand for such things.
    type Value: Numbered;

    /// The number of such things.
    fn count(content: &C) -> usize;

    /// The reference by which an action names one.
    fn reference(content: &C, value: Self::Value) -> Ref;

    /// The word for it in an action's notation: its content id.
    fn word(content: &C, value: Self::Value) -> String;
}

/// An action as its declaration counts it.
pub trait DeclaredAction: Copy + PartialEq + std::fmt::Debug {
    /// The number of its verb, and those of the things that it is about.
    fn place(self) -> (usize, [usize; ACTION_REFS_MAX]);
}

/// The two ways between ids and actions.
#[derive(Clone, Debug)]
pub struct ActionIndex<A> {
    list: Vec<A>,
    /// By verb, and then by the numbers of its things: the id.
    ids: Vec<u16>,
    verbs: Vec<VerbIds>,
}

/// The ids of a verb's actions within the list of all.
#[derive(Copy, Clone, Debug)]
struct VerbIds {
    first: usize,
    /// The number of its second things.
    width: usize,
}

/// The id of an action that its verb does not offer.
const NO_ID: u16 = u16::MAX;

impl<A: DeclaredAction> ActionIndex<A> {
    /// The action of an id that the table has.
    #[inline]
    #[must_use]
    pub fn get(&self, id: ActionId) -> A {
        self.list[usize::from(id.0)]
    }

    /// The id of an action that the table has.
    #[inline]
    #[must_use]
    pub fn id(&self, action: A) -> ActionId {
        let (verb, [first, second]) = action.place();
        let ids = self.verbs[verb];
        let id = self.ids[ids.first + first * ids.width + second];
        debug_assert!(self.list.get(usize::from(id)) == Some(&action), "no action of the table: {action:?}");
        ActionId(id)
    }
}

/// Builds a table verb by verb; the next actions are those of the last verb.
#[derive(Debug)]
pub struct ActionsBuilder<'c, C, A> {
    content: &'c C,
    table: ActionTable,
    actions: ActionIndex<A>,
    verb: u8,
}

impl<'c, C, A: DeclaredAction> ActionsBuilder<'c, C, A> {
    /// Of this content, without verbs.
    #[must_use]
    pub fn new(content: &'c C) -> Self {
        let actions = ActionIndex { list: Vec::new(), ids: Vec::new(), verbs: Vec::new() };
        Self { content, table: ActionTable::default(), actions, verb: 0 }
    }

    /// Adds a verb whose things are of so many each.
    pub fn verb(
        &mut self,
        id: &'static str,
        kind: VerbKind,
        title: &'static str,
        refs: &'static [&'static str],
        counts: &[usize],
    ) {
        self.verb = self.table.verb(id, kind, title, refs);
        let width = counts.get(1).copied().unwrap_or(1);
        self.actions.verbs.push(VerbIds { first: self.actions.ids.len(), width });
        self.actions.ids.resize(self.actions.ids.len() + counts.iter().product::<usize>(), NO_ID);
    }

    /// Adds the next action of the verb.
    ///
    /// # Errors
    /// If the table is full, or has such an action.
    pub fn add(&mut self, action: A, things: &[(Ref, String)]) -> Result<(), ActionTableError> {
        let (verb, [first, second]) = action.place();
        let refs: ArrayVec<Ref, ACTION_REFS_MAX> = things.iter().map(|&(what, _)| what).collect();
        let mut notation = self.table.verbs[usize::from(self.verb)].id.to_owned();
        for (_, word) in things {
            notation.push(' ');
            notation.push_str(word);
        }
        let id = self.table.add(self.verb, &refs, notation)?;
        let ids = self.actions.verbs[verb];
        self.actions.ids[ids.first + first * ids.width + second] = id.0;
        self.actions.list.push(action);
        Ok(())
    }

    /// One thing with its word.
    #[must_use]
    pub fn thing<K: ActionThing<C>>(&self, value: K::Value) -> (Ref, String) {
        (K::reference(self.content, value), K::word(self.content, value))
    }

    /// All things of a kind.
    pub fn all<K: ActionThing<C>>(&self) -> impl Iterator<Item = K::Value> + use<K, C, A> {
        (0..K::count(self.content)).map(K::Value::new)
    }

    /// The table, and the two ways between its ids and actions.
    #[must_use]
    pub fn finish(self) -> (ActionTable, ActionIndex<A>) {
        (self.table, self.actions)
    }
}

/// Declares the actions of a game, each once, in the order of their ids: the kind of the verb
/// ([`VerbKind`]), its name, its words for menus, and the variant with the things that it is about, each by
/// its role and its kind ([`ActionThing`]; [`things!`](crate::things) declares such kinds). A verb is
/// about all things of its kinds, or about those that stand behind `over`.
///
/// It gives the enum, and `table`, which builds the [`ActionTable`] of a content and the two ways between its
/// ids and actions ([`ActionIndex`]).
///
/// ```
/// use edgehill_engine::reference::Ref;
///
/// struct Content {
///     spaces: Vec<&'static str>,
///     roads: Vec<(Space, Space)>,
/// }
///
/// edgehill_engine::numbered! {
///     of Content;
///     /// A space of the board.
///     pub Space "a space": |content| content.spaces.len(), |_, space| Ref::Space(space.index() as u16),
///         |_, what| if let Ref::Space(space) = what { Some(Space::new(space.into())) } else { None };
/// }
///
/// edgehill_engine::action_words! {
///     of Content;
///     Space: |content, space| content.spaces[space].to_owned();
/// }
///
/// edgehill_engine::actions! {
///     /// An action.
///     pub enum Action of Content {
///         Play "march" "March along a road" March(from: Space, to: Space) over |content| content.roads.iter().copied(),
///         Play "scout" "Turn up a block at" Scout(at: Space),
///         Done "done" "Done" Done,
///     }
/// }
///
/// let [heath, mill] = [0, 1].map(Space::new);
/// let content = Content { spaces: vec!["heath", "mill"], roads: vec![(heath, mill), (mill, heath)] };
/// let (table, actions) = Action::table(&content)?;
/// let id = table.parse("march mill heath").expect("there is such a road");
/// assert_eq!(actions.get(id), Action::March(mill, heath));
/// assert_eq!(table.notation(actions.id(Action::Scout(mill))), "scout mill");
/// # Ok::<(), edgehill_engine::action::ActionTableError>(())
/// ```
#[macro_export]
macro_rules! actions {
    (
        $(#[$meta:meta])*
        $vis:vis enum $Action:ident of $Content:ty {
            $(
                $(#[$about:meta])*
                $Kind:ident $verb:literal $title:literal
                $Variant:ident $(( $($role:ident : $Thing:ty),+ ))? $(over |$content:ident| $values:expr)?
            ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        $vis enum $Action {
            $(
                $(#[$about])*
                #[doc = $title]
                $Variant $(( $(<$Thing as $crate::action::ActionThing<$Content>>::Value),+ ))?
            ),+
        }

        impl $Action {
            /// The action table of a content, and the two ways between its ids and actions.
            ///
            /// # Errors
            /// If it has too many actions, or two that are written alike.
            $vis fn table(
                content: &$Content,
            ) -> Result<
                ($crate::action::ActionTable, $crate::action::ActionIndex<Self>),
                $crate::action::ActionTableError,
            > {
                let mut builder = $crate::action::ActionsBuilder::new(content);
                $(
                    builder.verb(
                        $verb,
                        $crate::action::VerbKind::$Kind,
                        $title,
                        &[$($(stringify!($role)),+)?],
                        &[$($(<$Thing as $crate::action::ActionThing<$Content>>::count(content)),+)?],
                    );
                    $crate::actions!(@add builder content $Variant [$($($Thing),+)?] $(over |$content| $values)?);
                )+
                Ok(builder.finish())
            }
        }

        impl $crate::action::DeclaredAction for $Action {
            #[inline]
            fn place(self) -> (usize, [usize; $crate::action::ACTION_REFS_MAX]) {
                enum Verb {
                    $($Variant),+
                }
                match self {
                    $(Self::$Variant $(($($role),+))? => (Verb::$Variant as usize, $crate::actions!(@numbers $($($role),+)?))),+
                }
            }
        }
    };
    (@numbers) => { [0, 0] };
    (@numbers $first:ident) => { [$crate::numbered::Numbered::index($first), 0] };
    (@numbers $first:ident, $second:ident) => {
        [$crate::numbered::Numbered::index($first), $crate::numbered::Numbered::index($second)]
    };
    (@add $builder:ident $content:ident $Variant:ident []) => {
        $builder.add(Self::$Variant, &[])?;
    };
    (@add $builder:ident $content:ident $Variant:ident [$Thing:ty]) => {
        $crate::actions!(@one $builder $Variant [$Thing] $builder.all::<$Thing>());
    };
    (@add $builder:ident $content:ident $Variant:ident [$Thing:ty] over |$of:ident| $values:expr) => {
        $crate::actions!(@one $builder $Variant [$Thing] { let $of = $content; $values });
    };
    (@add $builder:ident $content:ident $Variant:ident [$First:ty, $Second:ty]) => {
        $crate::actions!(@two $builder $Variant [$First, $Second] {
            let seconds = $builder.all::<$Second>().collect::<Vec<_>>();
            $builder.all::<$First>().flat_map(move |first| seconds.clone().into_iter().map(move |second| (first, second)))
        });
    };
    (@add $builder:ident $content:ident $Variant:ident [$First:ty, $Second:ty] over |$of:ident| $values:expr) => {
        $crate::actions!(@two $builder $Variant [$First, $Second] { let $of = $content; $values });
    };
    (@one $builder:ident $Variant:ident [$Thing:ty] $values:expr) => {
        for value in $values {
            let thing = $builder.thing::<$Thing>(value);
            $builder.add(Self::$Variant(value), &[thing])?;
        }
    };
    (@two $builder:ident $Variant:ident [$First:ty, $Second:ty] $values:expr) => {
        for (first, second) in $values {
            let things = [$builder.thing::<$First>(first), $builder.thing::<$Second>(second)];
            $builder.add(Self::$Variant(first, second), &things)?;
        }
    };
}

/// Declares kinds of things that rules handle as plain numbers, each once: the type of the number, the words for an encoding that has
/// none, the variant of [`Ref`] that names one, the number of such things by the content, and the content id
/// of one.
///
/// Such a kind may be a field of a procedure ([`frames!`](crate::frames)), and actions may be about it ([`actions!`](crate::actions)).
/// A large game has types of its own for things instead ([`numbered!`](crate::numbered!), [`action_words!`](crate::action_words)).
#[macro_export]
macro_rules! things {
    (
        of $Content:ty;
        $(
            $(#[$about:meta])*
            $vis:vis $Thing:ident($Value:ident) $expected:literal as $Ref:ident : $count:expr, $word:expr;
        )+
    ) => {
        $(
            $(#[$about])*
            $vis enum $Thing {}

            impl $crate::action::ActionThing<$Content> for $Thing {
                type Value = $Value;

                fn count(content: &$Content) -> usize {
                    let count: fn(&$Content) -> usize = $count;
                    count(content)
                }

                fn reference(_: &$Content, value: $Value) -> $crate::reference::Ref {
                    $crate::reference::Ref::$Ref(value.into())
                }

                fn word(content: &$Content, value: $Value) -> String {
                    let word: fn(&$Content, $Value) -> String = $word;
                    word(content, value)
                }
            }

            impl $crate::codec::Coding<$Content> for $Thing {
                type Value = $Value;

                fn encode(value: &$Value, to: &mut $crate::codec::Writer) {
                    to.$Value(*value);
                }

                fn decode(
                    content: &$Content,
                    from: &mut $crate::codec::Reader<'_>,
                ) -> Result<$Value, $crate::codec::DecodeError> {
                    let error = from.error($expected);
                    let value = from.$Value()?;
                    let count = <Self as $crate::action::ActionThing<$Content>>::count(content);
                    if usize::from(value) < count { Ok(value) } else { Err(error) }
                }
            }

            impl $crate::flow::FrameField<$Content> for $Thing {
                const WIDE: bool = $Value::BITS > 8;

                fn tell(
                    content: &$Content,
                    value: &$Value,
                    role: &'static str,
                    _: bool,
                    to: &mut $crate::view::Procedure,
                ) {
                    to.roles.push((role, <Self as $crate::action::ActionThing<$Content>>::reference(content, *value)));
                }

                fn read(_: &$Content, role: &str, of: &$crate::view::Procedure) -> Option<$Value> {
                    match of.role(role) {
                        Some($crate::reference::Ref::$Ref(number)) => Some(number as $Value),
                        _ => None,
                    }
                }
            }
        )+
    };
}

/// Gives kinds of things that are [`numbered!`](crate::numbered!) their words in the notation of actions: content ids.
#[macro_export]
macro_rules! action_words {
    (of $Content:ty; $($Thing:ident: $word:expr;)+) => {
        $(
            impl $crate::action::ActionThing<$Content> for $Thing {
                type Value = Self;

                fn count(content: &$Content) -> usize {
                    <Self as $crate::numbered::Listed<$Content>>::count(content)
                }

                fn reference(content: &$Content, value: Self) -> $crate::reference::Ref {
                    $crate::numbered::Listed::reference(value, content)
                }

                fn word(content: &$Content, value: Self) -> String {
                    let word: fn(&$Content, Self) -> String = $word;
                    word(content, value)
                }
            }
        )+
    };
}
