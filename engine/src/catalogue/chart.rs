//! Charts: the tables of a game, such as those of combat, of seasons, of victory.

use crate::content::Confidence;

use super::{AttributeValue, CatalogEntry};

/// A table of the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chart {
    /// Id, name, and how it is read.
    pub entry: CatalogEntry,
    /// Heads of the columns, in players' words.
    pub columns: Vec<String>,
    /// Rows, in order; each has a cell a column.
    pub rows: Vec<ChartRow>,
}

/// A row of a chart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChartRow {
    /// Cells, one a column.
    pub cells: Vec<AttributeValue>,
    /// Level of the weakest of what the content says in it.
    pub confidence: Confidence,
}

impl ChartRow {
    /// A row.
    #[must_use]
    pub fn new(cells: Vec<AttributeValue>, confidence: Confidence) -> Self {
        Self { cells, confidence }
    }
}

impl Chart {
    /// A chart; how far it can be taken for the published game's follows from its rows.
    #[must_use]
    pub fn new(id: &str, name: &str, columns: &[&str], rows: Vec<ChartRow>) -> Self {
        let weakest = rows.iter().map(|row| row.confidence).max().unwrap_or(Confidence::Official);
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        Self { entry: CatalogEntry::new(id, name, weakest), columns, rows }
    }

    /// The same with how it is read.
    #[must_use]
    pub(crate) fn with_rules_text(self, rules_text: Vec<String>) -> Self {
        Self { entry: self.entry.with_rules_text(rules_text), ..self }
    }
}
