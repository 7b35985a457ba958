use std::fmt;

/// The longest rule number, in bytes.
pub const RULE_ID_BYTES_MAX: usize = 16;

/// A citation: the number of a rule in the ledger of the game that cites it.
///
/// A number is up to [`RULE_ID_BYTES_MAX`] letters, digits, dots and hyphens, and begins with a letter or digit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule(&'static str);

impl Rule {
    /// Cites a rule by its number.
    ///
    /// # Panics
    ///
    /// If `id` can't be a rule's number; in a constant, at compile time.
    pub const fn new(id: &'static str) -> Self {
        assert!(is_rule_id(id), "a rule's number is letters, digits, dots and hyphens");
        Self(id)
    }

    /// The rule's number.
    pub const fn id(self) -> &'static str {
        self.0
    }

    /// Returns whether the rule comes into play: whether its `condition` holds.
    ///
    /// While a test switches the rule off (the feature `rule-switch`), it never does. `applies(true)` is for what a rule has done
    /// whenever its procedure comes that far.
    #[inline(always)]
    #[must_use]
    pub fn applies(self, condition: bool) -> bool {
        condition && self.on()
    }

    /// Returns whether the rule lets something be: whether what it asks for, `condition`, holds.
    ///
    /// While a test switches the rule off, it lets everything be. `allows(false)` is for what is done without the rule alone.
    #[inline(always)]
    #[must_use]
    pub fn allows(self, condition: bool) -> bool {
        condition || !self.on()
    }

    /// Returns `value`, which is so by this rule; while a test switches the rule off, `without`.
    #[inline(always)]
    #[must_use]
    pub fn gives<T>(self, value: T, without: T) -> T {
        if self.on() { value } else { without }
    }

    /// Returns whether the rule is enforced: always, except under [`switch::disable`](super::switch::disable).
    #[cfg(feature = "rule-switch")]
    fn on(self) -> bool {
        !super::switch::is_off(self)
    }

    /// Returns whether the rule is enforced: always. Tests of the tests switch rules off, with the feature
    /// `rule-switch`.
    #[cfg(not(feature = "rule-switch"))]
    #[inline(always)]
    const fn on(self) -> bool {
        true
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rule({})", self.0)
    }
}

/// Returns whether a text can be a rule's number.
pub(super) const fn is_rule_id(id: &str) -> bool {
    let bytes = id.as_bytes();
    if bytes.is_empty() || bytes.len() > RULE_ID_BYTES_MAX || !bytes[0].is_ascii_alphanumeric() {
        return false;
    }
    let mut index = 0;
    while index < bytes.len() {
        if !bytes[index].is_ascii_alphanumeric() && bytes[index] != b'.' && bytes[index] != b'-' {
            return false;
        }
        index += 1;
    }
    true
}
