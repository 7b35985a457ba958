//! The lines of a bot to the runner ([`FromBot`]).

use serde::Deserialize;

/// The most bytes of a line of a bot, without its end.
pub(super) const LINE_BYTES_MAX: usize = 65_536;

/// A line of a bot.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum FromBot {
    /// The answer to `hello`.
    Ready {
        /// The lines that it wants beside prompts.
        #[serde(default)]
        want: Vec<Want>,
    },
    /// Takes actions.
    Play {
        /// The prompt that it answers.
        prompt: u64,
        /// Ids of actions.
        actions: Option<Vec<u32>>,
        /// Or a line of notation.
        line: Option<String>,
        /// True to take them up to the first point where something is revealed.
        #[serde(default)]
        until_reveal: bool,
    },
    /// Takes back actions of the draft.
    Undo {
        /// Number of its actions that stay; `None`: all but the last.
        keep: Option<u32>,
    },
    /// Gives up.
    Resign {},
    /// Offers a draw.
    OfferDraw {},
    /// Accepts the draw that is offered.
    AcceptDraw {},
    /// Declines the draw that is offered.
    DeclineDraw {},
    /// A text for the log.
    Log {
        /// The text.
        text: String,
    },
}

/// Lines that a bot gets only if it wants them.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Want {
    /// `catalog`, once.
    Catalog,
    /// `view` before each prompt.
    View,
    /// `update` with the events.
    Events,
    /// `state` whenever the match's state changes.
    State,
    /// The legal actions in full.
    Actions,
    /// Phrases and events in words, and boards.
    Text,
}

/// Reads a line.
///
/// # Errors
/// Says what would be accepted.
pub(super) fn read(line: &[u8]) -> Result<FromBot, String> {
    let read: FromBot = serde_json::from_slice(line)
        .map_err(|error| format!("expected a JSON object of docs/line-protocol.md on the line: {error}"))?;
    match &read {
        FromBot::Play { actions: Some(_), line: Some(_), .. }
        | FromBot::Play { actions: None, line: None, .. } => {
            Err("expected `actions` or `line` in `play`, and one of them only".to_owned())
        }
        _ => Ok(read),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let ready = read(br#"{"type":"ready","want":["view","text"]}"#);
        assert_eq!(ready, Ok(FromBot::Ready { want: vec![Want::View, Want::Text] }));
        assert_eq!(read(b" {\"type\": \"ready\"}\r"), Ok(FromBot::Ready { want: Vec::new() }));
        let play = FromBot::Play { prompt: 7, actions: Some(vec![3, 4]), line: None, until_reveal: false };
        assert_eq!(read(br#"{"type":"play","prompt":7,"actions":[3,4]}"#), Ok(play));
        let line = FromBot::Play {
            prompt: 8,
            actions: None,
            line: Some("march fife; done".to_owned()),
            until_reveal: true,
        };
        let text = br#"{"type":"play","prompt":8,"line":"march fife; done","until_reveal":true}"#;
        assert_eq!(read(text), Ok(line));
        assert_eq!(read(br#"{"type":"undo"}"#), Ok(FromBot::Undo { keep: None }));
        assert_eq!(read(br#"{"type":"offer-draw"}"#), Ok(FromBot::OfferDraw {}));
    }

    #[test]
    fn all_else_is_told_with_what_would_be_accepted() {
        for (line, expected) in [
            (&b""[..], "expected a JSON object"),
            (b"march fife", "expected a JSON object"),
            (b"\xff\xfe", "expected a JSON object"),
            (b"[1]", "expected a JSON object"),
            (br#"{"prompt":1}"#, "type"),
            (br#"{"type":"move"}"#, "`play`"),
            (br#"{"type":"resign","prompt":1}"#, "prompt"),
            (br#"{"type":"ready","want":["dice"]}"#, "`events`"),
            (br#"{"type":"play","prompt":-1,"actions":[1]}"#, "invalid value"),
            (br#"{"type":"play","prompt":1}"#, "one of them only"),
            (br#"{"type":"play","prompt":1,"actions":[1],"line":"done"}"#, "one of them only"),
        ] {
            let fault = read(line).expect_err(&String::from_utf8_lossy(line));
            assert!(fault.contains(expected), "{}: {fault}", String::from_utf8_lossy(line));
        }
    }
}
