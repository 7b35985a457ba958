//! Which procedure is asked: one row for each, instead of a match in each of the three dispatchers.

/// Declares the dispatchers of a game: what is offered, what is legal, what is done, by the procedure that asks. Each row has the
/// pattern that the node is told by, the three methods of the procedure's own file, and what they are handed of it.
///
/// The methods are called with the state and the seat, then what they are handed, then the listener: `offer`, `action` and `why`, or
/// `action` and `out`. A node of no row offers nothing and refuses all, by the contract.
///
/// In a game of one seat nobody asks which: with `of one seat, by RULE` behind the type of actions no seat is handed on, and a node of
/// no row refuses by that rule.
#[macro_export]
macro_rules! dispatch {
    (@call $game:ident.$method:ident $state:ident [$($seat:ident)?] [$($handed:expr),*] $($rest:ident),+) => {
        $game.$method($state, $($seat,)? $($handed,)* $($rest),+)
    };
    (
        @impl [$($seat:ident)?] $seats:tt [$not_now:expr]
        $(#[$about:meta])*
        $vis:vis impl $Game:ty, by |$state:ident: $State:ty| $by:expr, of $Action:ty:
        $offer:ident, $examine:ident, $apply:ident;
        $($pattern:pat $(if $guard:expr)? => ($offers:ident, $examines:ident, $applies:ident)($($handed:expr),*);)+
    ) => {
        impl $Game {
            $(#[$about])*
            $vis fn $offer(
                &self,
                $state: &$State,
                $($seat: $crate::seat::Seat,)?
                offer: &mut impl FnMut($Action),
            ) {
                match $by {
                    $($pattern $(if $guard)? => {
                        $crate::dispatch!(@call self.$offers $state $seats [$($handed),*] offer)
                    })+
                    _ => {}
                }
            }

            /// Lists, refuses, explains: the one predicate.
            $vis fn $examine(
                &self,
                $state: &$State,
                $($seat: $crate::seat::Seat,)?
                action: $Action,
                why: &mut $crate::refusal::Why,
            ) -> std::ops::ControlFlow<()> {
                match $by {
                    $($pattern $(if $guard)? => {
                        $crate::dispatch!(@call self.$examines $state $seats [$($handed),*] action, why)
                    })+
                    _ => why.refuse($not_now, "NOT_NOW"),
                }
            }

            /// Carries out a legal action.
            ///
            /// # Panics
            /// If no procedure asks.
            $vis fn $apply(
                &self,
                $state: &mut $State,
                $($seat: $crate::seat::Seat,)?
                action: $Action,
                out: &mut $crate::event::Events,
            ) {
                match $by {
                    $($pattern $(if $guard)? => {
                        $crate::dispatch!(@call self.$applies $state $seats [$($handed),*] action, out)
                    })+
                    _ => unreachable!("an action is applied where a procedure asks"),
                }
            }
        }
    };
    (
        $(#[$about:meta])*
        $vis:vis impl $Game:ty, by |$state:ident: $State:ty| $by:expr, of $Action:ty: $($rows:tt)+
    ) => {
        $crate::dispatch! {
            @impl [seat] [seat] [$crate::game::CONTRACT]
            $(#[$about])*
            $vis impl $Game, by |$state: $State| $by, of $Action: $($rows)+
        }
    };
    (
        $(#[$about:meta])*
        $vis:vis impl $Game:ty, by |$state:ident: $State:ty| $by:expr, of $Action:ty, of one seat, by $not_now:path:
        $($rows:tt)+
    ) => {
        $crate::dispatch! {
            @impl [] [] [$not_now]
            $(#[$about])*
            $vis impl $Game, by |$state: $State| $by, of $Action: $($rows)+
        }
    };
}
