//! Matches read from their logs, without a host that plays them: [`MatchReader`].

use std::sync::Arc;

use edgehill_engine::dice::Entropy;
use edgehill_engine::registry::{AnyGame, Registry};

use super::error::Error;
use super::former_contents::{FormerContents, is_pinned};
use super::slot::Content;
use crate::identity::{GroupId, ServerKey};
use crate::limits::Limits;
use crate::matches::{
    ClosedMatch, Course, DiceSecret, DiceSecretBytes, EntropyMode, LiveMatch, LogLimits, MatchError,
    MatchHeader, MatchRecord, Overview, Phase, SeatConfig, SeedTerms, WhyClosed,
};
use crate::store::limits::PAGE_MATCHES_MAX;
use crate::store::{self, MatchId, MatchLog, Page, SealingKey, SecretId, Store, StoreFilter, StoredStatus};
use crate::wire::encoder::MessageEncoder;

/// Reads matches of a store with the server's key and its games. It changes nothing.
#[derive(Clone)]
pub struct MatchReader {
    registry: Registry,
    former: FormerContents,
    store: Arc<dyn Store>,
    key: ServerKey,
    sealing: SealingKey,
}

/// A record that was read from a store, and how far it goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadRecord {
    /// The record.
    pub record: MatchRecord,
    /// The fault of the log, if it is not whole: the record has what stands before it.
    pub fault: Option<String>,
}

impl MatchReader {
    /// A reader of `store`, which is sealed with `key`.
    #[must_use]
    pub fn new(registry: Registry, former: FormerContents, store: Arc<dyn Store>, key: ServerKey) -> Self {
        Self { registry, former, store, sealing: key.sealing(), key }
    }

    /// The key that the store is sealed with.
    #[must_use]
    pub const fn key(&self) -> &ServerKey {
        &self.key
    }

    /// The game of a match, if its rules and its content are there.
    pub(super) fn game_of(&self, header: &MatchHeader) -> Option<&Arc<dyn AnyGame>> {
        let current = self.current(&header.game).filter(|game| is_pinned(&***game, header));
        current.or_else(|| self.former.game(header))
    }

    /// Returns why a match can't be played; `None` if it can.
    pub(super) fn why_closed(&self, header: &MatchHeader) -> Option<WhyClosed> {
        if self.game_of(header).is_some() {
            return None;
        }
        let same_rules = self
            .current(&header.game)
            .is_some_and(|game| game.catalogue().rules_version == header.played_by().rules_version);
        Some(if same_rules { WhyClosed::ContentUnknown } else { WhyClosed::RulesUnknown })
    }

    /// The game of this id with the content of new matches.
    pub(super) fn current(&self, game: &str) -> Option<&Arc<dyn AnyGame>> {
        self.registry.game(game).ok()
    }

    /// A match's log, from its creation on.
    pub(super) async fn log(&self, id: MatchId) -> Result<MatchLog, store::Error> {
        self.store.read(id, 0).await
    }

    /// The games with contents of before.
    pub(super) const fn former(&self) -> &FormerContents {
        &self.former
    }

    /// The key that secrets are sealed with.
    pub(super) const fn sealing(&self) -> &SealingKey {
        &self.sealing
    }

    /// The record of a match, signed with the server's key, with the secrets of its dice if it and its group are over. If the
    /// log is damaged, or does not replay beyond some entry, it has what stands before.
    ///
    /// # Errors
    /// [`Error::Store`] if there is no such match or not even its creation can be read; [`Error::Match`] if it has not begun, or
    /// this build does not have its rules.
    pub async fn record(&self, id: MatchId) -> Result<ReadRecord, Error> {
        let (mut log, mut fault) = match self.store.read(id, 0).await {
            Ok(log) => (log, None),
            Err(store::Error::Quarantined { quarantine, .. }) => {
                let log = self.store.read_stopped(id).await?;
                (log, Some(format!("{}: {}", quarantine.reason, quarantine.detail)))
            }
            Err(error) => return Err(error.into()),
        };
        let limits = Limits::default().match_log();
        let content = match self.content(&log, limits).await {
            Err(Error::Match(MatchError::Unreplayable { revision, why })) if revision > 0 => {
                fault.get_or_insert(format!("revision {revision}: {why}"));
                log.records.retain(|record| record.at.revision < revision);
                log.revision = log.records.last().map_or(0, |last| last.at.revision);
                self.content(&log, limits).await?
            }
            content => content?,
        };
        let reveal = fault.is_none() && self.reveals(content.course()).await?;
        let record = match &content {
            Content::Live(live) => live.record(reveal, &self.key.signing())?,
            Content::Closed(closed) => closed.record(reveal, &self.key.signing())?,
        };
        Ok(ReadRecord { record, fault })
    }

    /// Returns whether the secrets of a match's dice are open to everybody: it is over, and so is all of its group.
    async fn reveals(&self, course: &Course) -> Result<bool, Error> {
        match course.header().group() {
            _ if course.phase() != Phase::Over => Ok(false),
            Some(group) => self.is_group_over(&group.id).await,
            None => Ok(true),
        }
    }

    /// Returns whether all matches of a group are made and over, durably: from their rows, so that none is read for it.
    pub(super) async fn is_group_over(&self, group: &str) -> Result<bool, Error> {
        let Some(row) = group_row(group) else { return Ok(false) };
        let filter = StoreFilter { group: Some(row), ..StoreFilter::default() };
        // A group has no more matches than a page.
        let rows = self.store.list(filter, Page { before: None, limit: PAGE_MATCHES_MAX }).await?.matches;
        let is_over = |status| matches!(status, StoredStatus::Over | StoredStatus::Abandoned);
        if !rows.iter().all(|row| is_over(row.summary.status)) {
            return Ok(false);
        }
        let first = rows.first().and_then(|row| Overview::from_bytes(&row.overview).ok());
        let terms = first.as_ref().and_then(|overview| overview.header.group());
        Ok(terms.is_some_and(|terms| rows.len() == terms.matches as usize))
    }

    /// The group's id that a text is, if it is one of this server's. Nothing is looked up: nobody learns from the time that it
    /// takes which matches have groups.
    pub(super) fn group_id(&self, text: &str) -> Option<GroupId> {
        text.parse::<GroupId>().ok().filter(|id| *id == self.key.group_id(&id.match_id()))
    }

    /// A match from its log: to be played or, if this build does not have its rules, to be read.
    pub(super) async fn content(&self, log: &MatchLog, limits: LogLimits) -> Result<Content, Error> {
        let mut course = course_of(log)?;
        course.take_rules_of(&log.records)?;
        let encoder = &MessageEncoder;
        let Some(game) = self.game_of(course.header()).map(Arc::clone) else {
            let why = self.why_closed(course.header()).unwrap_or(WhyClosed::RulesUnknown);
            let mut closed = ClosedMatch::read(course, &log.records, why, encoder)?;
            match self.dice_secret(log.header.id, closed.course().header()).await {
                Ok(secret) => closed = closed.with_dice_secret(secret),
                // All else of it can be read.
                Err(error) => tracing::warn!(match_id = %log.header.id, %error, "dice can't be revealed"),
            }
            return Ok(Content::Closed(Box::new(closed)));
        };
        let dice_secret = self.dice_secret(log.header.id, course.header()).await?;
        let live = LiveMatch::replay(course, game, dice_secret, log, limits, encoder)?;
        Ok(Content::Live(Box::new(live)))
    }

    /// The secret of a match's dice, as the store keeps it.
    pub(super) async fn dice_secret(&self, id: MatchId, header: &MatchHeader) -> Result<DiceSecret, Error> {
        let secret_id = secret_id(id, header)?;
        let sealed = self.store.secret(secret_id.clone()).await?;
        // A match and its seed become durable together, so a seed that is not there was lost since.
        let sealed = sealed.ok_or(store::Error::SecretUnreadable)?;
        let bytes = self.sealing.open(&secret_id, &sealed)?;
        let bytes: DiceSecretBytes = bytes.try_into().map_err(|_| store::Error::SecretUnreadable)?;
        Ok(dice_secret_of(header, &bytes))
    }
}

impl std::fmt::Debug for MatchReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MatchReader").field("registry", &self.registry).finish_non_exhaustive()
    }
}

/// Returns the name that the group of this id has in the rows of its matches: that of its first match, since its id is a secret. Nothing
/// is proven by it: an id that a caller gives goes through [`MatchReader::group_id`] first.
pub(super) fn group_row(id: &str) -> Option<String> {
    id.parse::<GroupId>().ok().map(|id| id.match_id().to_string())
}

/// Returns the course that a log begins with.
pub(super) fn course_of(log: &MatchLog) -> Result<Course, MatchError> {
    let unreadable = |why: String| MatchError::Unreplayable { revision: 0, why };
    let header = MatchHeader::from_bytes(&log.header.bytes).map_err(|error| unreadable(error.to_string()))?;
    let bots = bot_commitments(log.header.id, &header);
    let mut course = Course::new(log.header.id, header, &bots);
    course.set_lengths(log.header.summary.lengths.iter().copied());
    Ok(course)
}

/// Returns the secrets that the kept bytes of a match are, by its terms.
fn dice_secret_of(header: &MatchHeader, bytes: &DiceSecretBytes) -> DiceSecret {
    DiceSecret::from_bytes(bytes, header.seed == SeedTerms::Chosen)
}

/// Returns the name that the secret of a match, or of its group, is kept under.
pub(super) fn secret_id(id: MatchId, header: &MatchHeader) -> Result<SecretId, store::Error> {
    match header.group() {
        // Not by its id, which is a secret.
        Some(group) => SecretId::new(format!("group:{}", group.first().unwrap_or(id))),
        None => SecretId::new(format!("match:{id}")),
    }
}

/// Returns the commitments of house bots, where a match asks for them: that they give nothing.
pub(super) fn bot_commitments(id: MatchId, header: &MatchHeader) -> Vec<Option<[u8; 32]>> {
    let commitment = |(index, plan): (usize, &SeatConfig)| match (plan, header.entropy_mode) {
        (SeatConfig::Bot(_), EntropyMode::CommitReveal) => Entropy::ABSENT
            .commit(&id.to_string(), index as u32)
            .ok()
            .map(|commitment| *commitment.as_bytes()),
        _ => None,
    };
    header.seats.iter().enumerate().map(commitment).collect()
}
