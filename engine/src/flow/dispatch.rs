//! Which procedure is asked: one row for each, instead of a match in each of the three dispatchers.

/// Declares the dispatchers of a game: what is offered, what is legal, what is done, by the procedure that asks. Each row has the
/// pattern that the node is told by, the three methods of the procedure's own file, and what they are handed of it.
///
/// The methods are called with the state and the seat, then what they are handed, then the listener: `offer`, `action` and `why`, or
/// `action` and `out`. A node of no row offers nothing and refuses all.
#[macro_export]
macro_rules! dispatch {
    (
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
                seat: $crate::seat::Seat,
                offer: &mut impl FnMut($Action),
            ) {
                match $by {
                    $($pattern $(if $guard)? => self.$offers($state, seat, $($handed,)* offer),)+
                    _ => {}
                }
            }

            /// Lists, refuses, explains: the one predicate.
            $vis fn $examine(
                &self,
                $state: &$State,
                seat: $crate::seat::Seat,
                action: $Action,
                why: &mut $crate::refusal::Why,
            ) -> std::ops::ControlFlow<()> {
                match $by {
                    $($pattern $(if $guard)? => self.$examines($state, seat, $($handed,)* action, why),)+
                    _ => why.refuse($crate::game::CONTRACT, "NOT_NOW"),
                }
            }

            /// Carries out a legal action.
            ///
            /// # Panics
            /// If no procedure asks.
            $vis fn $apply(
                &self,
                $state: &mut $State,
                seat: $crate::seat::Seat,
                action: $Action,
                out: &mut $crate::event::Events,
            ) {
                match $by {
                    $($pattern $(if $guard)? => self.$applies($state, seat, $($handed,)* action, out),)+
                    _ => unreachable!("an action is applied where a procedure asks"),
                }
            }
        }
    };
}
