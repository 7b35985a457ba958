//! Lines no wider than the terminal ([`Wrapped`]).

use std::io::{self, IsTerminal, Write};

use textwrap::{Options, core::display_width};

/// Narrowest width that is wrapped to: below it words are broken for nothing.
const COLUMNS_MIN: usize = 20;
/// Blanks by which the second line of a paragraph stands further in than its first.
const HANG: usize = 4;
/// Columns of a drawing where no terminal says how many it has.
pub(crate) const COLUMNS_UNKNOWN: usize = 100;

/// The width to wrap to: what is asked for, or the terminal's; `None`: the reader is no terminal, and gets whole lines.
pub(crate) fn columns(asked: Option<usize>) -> Option<usize> {
    let own = || {
        let size = io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
        size.map(|(width, _)| usize::from(width.0))
    };
    asked.or_else(own).map(|columns| columns.max(COLUMNS_MIN))
}

/// A writer that breaks lines between words, and sets what follows further in.
pub(crate) struct Wrapped<'a> {
    out: &'a mut dyn Write,
    columns: Option<usize>,
    /// The line that is not at its end.
    line: Vec<u8>,
    /// True if a part of the present line is out: its rest is left as it is.
    begun: bool,
}

impl<'a> Wrapped<'a> {
    pub(crate) fn new(out: &'a mut dyn Write, columns: Option<usize>) -> Self {
        Self { out, columns, line: Vec::new(), begun: false }
    }

    fn end_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let begun = std::mem::take(&mut self.begun);
        let text = String::from_utf8_lossy(&line);
        match self.columns {
            Some(columns) if !begun && display_width(&text) > columns => {
                writeln!(self.out, "{}", filled(&text, columns))
            }
            _ => writeln!(self.out, "{text}"),
        }
    }
}

/// A paragraph in lines of `columns`: its own indentation, and more from the second line on.
fn filled(text: &str, columns: usize) -> String {
    let indent = text.chars().take_while(|&it| it == ' ').count();
    let first = " ".repeat(indent);
    let rest = " ".repeat(indent + HANG);
    let options = Options::new(columns).initial_indent(&first).subsequent_indent(&rest).break_words(false);
    let options = options.word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::fill(text.trim_start(), options)
}

impl Write for Wrapped<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            match part.split_last() {
                Some((b'\n', rest)) => {
                    self.line.extend_from_slice(rest);
                    self.end_line()?;
                }
                _ => self.line.extend_from_slice(part),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.line.is_empty() {
            self.out.write_all(&std::mem::take(&mut self.line))?;
            self.begun = true;
        }
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(columns: Option<usize>, parts: &[&str]) -> String {
        let mut out = Vec::new();
        let mut writer = Wrapped::new(&mut out, columns);
        for part in parts {
            writer.write_all(part.as_bytes()).expect("written");
            if !part.ends_with('\n') {
                writer.flush().expect("flushed");
            }
        }
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn a_long_line_goes_on_further_in() {
        let text = "  one two three four five six\n";
        assert_eq!(wrapped(Some(20), &[text]), "  one two three four\n      five six\n");
        assert_eq!(wrapped(None, &[text]), text);
    }

    #[test]
    fn a_prompt_and_its_answer_stay_as_they_are() {
        let parts = ["north> ", "a line that is longer than that\n", "short\n"];
        assert_eq!(wrapped(Some(20), &parts), "north> a line that is longer than that\nshort\n");
    }

    #[test]
    fn colours_take_no_room() {
        let text = "\u{1b}[1mone two three\u{1b}[0m four\n";
        assert_eq!(wrapped(Some(20), &[text]), text);
    }
}
