/** Everything that Node and browsers have in common. */

export { Code } from "@connectrpc/connect";
export type { AccountData } from "./account-data.js";
export type { ActionLike, ActionsLike, BatchOptions, StructureLike } from "./actions.js";
export type { AccountChange, Admin, KeyOptions, RotationOptions } from "./admin.js";
export type { CreatedMatch, FoundSeat, Legal, Look, MadeKey, OpenedSeat, Rematch, WholeMatch } from "./answers.js";
export type { Bot, BotReport, BotSeat } from "./bot.js";
export { runBot, runBots } from "./bot-runner.js";
export type {
  Client,
  ClientOptions,
  CreateOptions,
  ExportedRecord,
  GameQuery,
  JoinOptions,
  MatchQuery,
} from "./client.js";
export type { Competitions, CompetitionWatch, EnrolOptions, ShownCompetition } from "./competitions.js";
export type { CallOptions, ChangeOptions } from "./connection.js";
export {
  CallFailed,
  ConnectFailed,
  EdgehillError,
  FoldError,
  InvalidOption,
  Refused,
  SequenceGap,
  UnknownChange,
  Unsupported,
  Unverified,
} from "./errors.js";
export { fold } from "./folding.js";
export { type GameOptions, type MatchTerms, matchPlan, type PlanTerms, type SharedTerms } from "./match-terms.js";
export type { PlaySession } from "./play-session.js";
export type { OpenOptions, PlayEvent, PlayedSeat, SentOptions } from "./played-seat.js";
export { RandomBot } from "./random-bot.js";
export type { AdjournmentLine, Drawn, MatchRecord, RefereeActLine } from "./record.js";
export type { ActOptions, Referee, ReplacementOptions } from "./referee.js";
export { DEFAULT_RETRY, leastPauseMs, type RetryPolicy } from "./retry.js";
export { FULL, type LegalOptions, type Response, type Seat, type UpdateOptions, type ViewOptions } from "./seat.js";
export { accountSeat, houseBot, invitedSeat, openSeat } from "./seat-config.js";
export type { Seek, SeekOptions } from "./seek.js";
export type { Certificates, Pem } from "./server-url.js";
export type { SigningKeys } from "./signature.js";
export { type EventRange, Transcript, type TranscriptCheck, verifyTranscript } from "./transcript.js";
export * as v1 from "./v1.js";
export { type DiceCheck, type DiceOptions, verifyDice } from "./verify-dice.js";
export { type RecordCheck, type RecordPart, type VerifyOptions, verifyRecord } from "./verify-record.js";
export { ViewTracker } from "./view-tracker.js";
export type { AccountWatch, SeatWatchOptions, Watch, WatchOptions } from "./watch.js";
