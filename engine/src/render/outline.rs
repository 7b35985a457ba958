//! Nested lines: what is said, and what is said under it ([`Outline`]).

/// A line with the lines under it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Outline {
    text: String,
    under: Vec<Outline>,
}

impl Outline {
    /// A line with nothing under it.
    pub(super) fn leaf(text: impl Into<String>) -> Self {
        Self { text: text.into(), under: Vec::new() }
    }

    /// A line with these under it.
    pub(super) fn new(text: impl Into<String>, under: Vec<Self>) -> Self {
        Self { text: text.into(), under }
    }

    /// A line with these under it, if there are any.
    pub(super) fn unless_empty(text: &str, under: Vec<Self>) -> Option<Self> {
        (!under.is_empty()).then(|| Self::new(text, under))
    }

    /// One line each, two blanks a level.
    pub(super) fn write(&self, depth: usize, to: &mut String) {
        to.push_str(&"  ".repeat(depth));
        to.push_str(&self.text);
        to.push('\n');
        for item in &self.under {
            item.write(depth + 1, to);
        }
    }

    /// The line, and one line for each item under it with all that the item holds.
    pub(super) fn write_brief(&self, to: &mut String) {
        to.push_str(&self.text);
        to.push('\n');
        for item in &self.under {
            to.push_str("  ");
            to.push_str(&item.line());
            to.push('\n');
        }
    }

    /// The line with all that is under it.
    pub(super) fn line(&self) -> String {
        if self.under.is_empty() {
            return self.text.clone();
        }
        let inner: Vec<String> = self.under.iter().map(Self::inline).collect();
        format!("{}: {}", self.text, inner.join("; "))
    }

    fn inline(&self) -> String {
        if self.under.is_empty() {
            return self.text.clone();
        }
        let inner: Vec<String> = self.under.iter().map(Self::inline).collect();
        format!("{} [{}]", self.text, inner.join("; "))
    }
}
