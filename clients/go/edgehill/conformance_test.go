package edgehill_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

// vectors reads a file of vectors of this format; it has to have these lists, and no other.
func vectors(t *testing.T, name, format string, lists map[string]any) {
	t.Helper()
	var file map[string]json.RawMessage
	if err := json.Unmarshal([]byte(fileOf(t, "clients/conformance/"+name)), &file); err != nil {
		t.Fatal(err)
	}
	equal(t, string(file["format"]), strconv.Quote(format))
	delete(file, "format")
	for list, entries := range file {
		if lists[list] == nil {
			t.Fatalf("%s: %s is a list that no test knows", name, list)
		}
		if err := json.Unmarshal(entries, lists[list]); err != nil {
			t.Fatal(err)
		}
		if reflect.ValueOf(lists[list]).Elem().Len() == 0 {
			t.Fatalf("%s: %s is empty", name, list)
		}
	}
	equal(t, len(file), len(lists))
}

func keysOf(t *testing.T, given []string) [][]byte {
	t.Helper()
	keys := [][]byte{}
	for _, digits := range given {
		keys = append(keys, ok(hex.DecodeString(digits))(t))
	}
	return keys
}

// trusted returns the option of the keys that a vector names; null: none was named.
func trusted(t *testing.T, given []string) []edgehill.VerifyOption {
	t.Helper()
	if given == nil {
		return nil
	}
	return []edgehill.VerifyOption{edgehill.WithSigningKeys(keysOf(t, given)...)}
}

// says expects an Unverified in these words.
func says(t *testing.T, err error, words string) {
	t.Helper()
	if found := failed[*edgehill.Unverified](t, err); !regexp.MustCompile(words).MatchString(found.Message) {
		t.Fatalf("%q was expected: %s", words, found.Message)
	}
}

// recordFaults has the words in which this client tells the faults of records.
var recordFaults = map[string]string{
	"format":             `the only format that is read here`,
	"characters":         `other characters than printable ASCII`,
	"end":                `^a record ends with "end"`,
	"digest":             `^the digest of the text`,
	"line":               `is none of a record$`,
	"unsigned":           `^the signature of .*: there is none`,
	"signer":             `^the signature of .*: found that of`,
	"signature":          `has not signed these lines$`,
	"commitment":         `^the commitment`,
	"entropy_commitment": `^the entropy commitment of place`,
	"entropies":          `^the number of entropies`,
}

type recordVector struct {
	Name        string         `json:"name"`
	Text        string         `json:"text"`
	SigningKeys []string       `json:"signing_keys"`
	Unchecked   []string       `json:"unchecked"`
	Fault       string         `json:"fault"`
	Read        map[string]any `json:"read"`
}

func recordVectors(t *testing.T) []recordVector {
	t.Helper()
	var records []recordVector
	vectors(t, "records.json", "edgehill-record-vectors/1", map[string]any{"records": &records})
	return records
}

func TestConformanceRecords(t *testing.T) {
	for _, vector := range recordVectors(t) {
		t.Run(vector.Name, func(t *testing.T) {
			check, err := edgehill.VerifyRecord(vector.Text, trusted(t, vector.SigningKeys)...)
			if vector.Fault != "" {
				words, isKnown := recordFaults[vector.Fault]
				if !isKnown {
					t.Fatalf("a fault that no test knows: %s", vector.Fault)
				}
				says(t, err, words)
				return
			}
			parts := []string{}
			for part := range ok(check, err)(t).Unchecked {
				parts = append(parts, string(part))
			}
			sort.Strings(parts)
			sort.Strings(vector.Unchecked)
			equal(t, parts, vector.Unchecked)
			found := fieldsOf(t, check.Record)
			for field, expected := range vector.Read {
				if !reflect.DeepEqual(found[field], expected) {
					t.Errorf("%s: expected %v, found %v", field, expected, found[field])
				}
			}
		})
	}
}

// fieldsOf returns the fields of a record as the vectors name them.
func fieldsOf(t *testing.T, record *edgehill.MatchRecord) map[string]any {
	t.Helper()
	rolls, adjournments, acts := 0, []map[string]any{}, []map[string]any{}
	for _, drawn := range record.Drawn {
		if len(drawn.Faces) > 0 {
			rolls++
		}
	}
	for _, line := range record.Adjournments {
		adjournments = append(adjournments, map[string]any{
			"entries": line.Entries, "by": line.By, "longest_ms": line.LongestMS, "lasted_ms": line.LastedMS,
		})
	}
	for _, act := range record.RefereeActs {
		acts = append(acts, map[string]any{"entries": act.Entries, "kind": act.Kind, "reason": act.Reason})
	}
	written := ok(json.Marshal(map[string]any{
		"game": record.Game, "match": record.Match, "players": record.Players, "rolls": rolls,
		"draws": len(record.Drawn) - rolls, "given_up": record.GivenUp, "adjournments": adjournments, "referee_acts": acts,
	}))(t)
	var fields map[string]any
	if err := json.Unmarshal(written, &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

func TestNoFlippedBitOfASignedRecordGoesUnnoticed(t *testing.T) {
	t.Parallel()
	signed := recordVectors(t)[0]
	options := trusted(t, signed.SigningKeys)
	whole := ok(edgehill.VerifyRecord(signed.Text, options...))(t).Record
	for place := range len(signed.Text) {
		for bit := range 7 {
			forged := []byte(signed.Text)
			forged[place] ^= 1 << bit
			check, err := edgehill.VerifyRecord(string(forged), options...)
			if err != nil {
				failed[*edgehill.Unverified](t, err)
				continue
			}
			// Another form of the same text, such as a blank for the last line feed.
			if !reflect.DeepEqual(check.Record, whole) {
				t.Fatalf("bit %d at %d", bit, place)
			}
		}
	}
}

// transcriptFaults has the words in which this client tells the faults of transcripts.
var transcriptFaults = map[string]string{
	"text":      `^(a transcript begins with|the observer: |the line .* is none of a transcript)`,
	"events":    `is for other events, or for another order$`,
	"signature": `is not signed by`,
	"signer":    `found the signature of`,
}

func TestConformanceTranscripts(t *testing.T) {
	var transcripts []struct {
		Name        string      `json:"name"`
		Text        string      `json:"text"`
		SigningKeys []string    `json:"signing_keys"`
		Fault       string      `json:"fault"`
		Receipts    int         `json:"receipts"`
		Unproven    [][2]uint64 `json:"unproven"`
		Complete    bool        `json:"complete"`
	}
	vectors(t, "receipts.json", "edgehill-receipt-vectors/1", map[string]any{"transcripts": &transcripts})
	for _, vector := range transcripts {
		t.Run(vector.Name, func(t *testing.T) {
			transcript, err := edgehill.ReadTranscript(vector.Text)
			var check *edgehill.TranscriptCheck
			if err == nil {
				check, err = edgehill.VerifyTranscript(transcript, trusted(t, vector.SigningKeys)...)
			}
			if vector.Fault != "" {
				words, isKnown := transcriptFaults[vector.Fault]
				if !isKnown {
					t.Fatalf("a fault that no test knows: %s", vector.Fault)
				}
				says(t, err, words)
				return
			}
			ok(check, err)(t)
			equal(t, transcript.Text(), vector.Text)
			unproven := [][2]uint64{}
			for _, part := range check.Unproven {
				unproven = append(unproven, [2]uint64{part.First, part.Last})
			}
			equal(t, unproven, vector.Unproven)
			equal(t, check.Receipts, vector.Receipts)
			equal(t, check.Complete, vector.Complete)
		})
	}
}

type errorVectors struct {
	reasons []struct {
		Reason string     `json:"reason"`
		Number int32      `json:"number"`
		Code   codes.Code `json:"code"`
	}
	statuses []struct {
		Name    string          `json:"name"`
		Status  int             `json:"status"`
		Details string          `json:"details"`
		Refusal json.RawMessage `json:"refusal"`
	}
	retries []struct {
		Name         string     `json:"name"`
		Code         codes.Code `json:"code"`
		Refused      bool       `json:"refused"`
		RetryAfterMS *int64     `json:"retry_after_ms"`
		Failures     int        `json:"failures"`
		PauseMS      *int64     `json:"pause_ms"`
	}
}

func readErrorVectors(t *testing.T) (read errorVectors) {
	t.Helper()
	vectors(t, "errors.json", "edgehill-error-vectors/1", map[string]any{
		"reasons": &read.reasons, "statuses": &read.statuses, "retries": &read.retries,
	})
	return read
}

func TestConformanceReasons(t *testing.T) {
	numbers := map[int32]bool{0: true}
	for _, vector := range readErrorVectors(t).reasons {
		numbers[vector.Number] = true
		found := refusedWith(t, &v1.Refusal{Reason: v1.ErrorReason(vector.Number), Code: int32(vector.Code)})
		equal(t, found.ReasonName(), vector.Reason)
		equal(t, found.Code(), vector.Code)
	}
	for number, name := range v1.ErrorReason_name {
		if !numbers[number] {
			t.Errorf("%s is in no vector", name)
		}
	}
}

func TestConformanceStatuses(t *testing.T) {
	for _, vector := range readErrorVectors(t).statuses {
		t.Run(vector.Name, func(t *testing.T) {
			client := connect(t, answering(t, vector.Status, vector.Details))
			found := failed[*edgehill.Refused](t, errorOf(client.Games(t.Context())))
			expected := &v1.Refusal{}
			if err := protojson.Unmarshal(vector.Refusal, expected); err != nil {
				t.Fatal(err)
			}
			sameMessage(t, found.Refusal(), expected)
			equal(t, int(found.Code()), vector.Status)
		})
	}
}

// answering starts a server that knows nothing but this answer, and returns its address.
func answering(t *testing.T, status int, details string) string {
	t.Helper()
	listener := ok(net.Listen("tcp", "127.0.0.1:0"))(t)
	served := &http.Server{Protocols: new(http.Protocols), Handler: http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("content-type", "application/grpc")
			w.Header().Set("grpc-status", strconv.Itoa(status))
			w.Header().Set("grpc-status-details-bin", details)
		})}
	served.Protocols.SetUnencryptedHTTP2(true)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = served.Serve(listener) // it ends with the test
	}()
	t.Cleanup(func() {
		_ = served.Close()
		<-ended
	})
	return listener.Addr().String()
}

func TestConformanceRetries(t *testing.T) {
	for _, vector := range readErrorVectors(t).retries {
		t.Run(vector.Name, func(t *testing.T) {
			var err error = &edgehill.CallFailed{Code: vector.Code}
			if vector.Refused {
				refusal := &v1.Refusal{Code: int32(vector.Code)}
				if vector.RetryAfterMS != nil {
					refusal.RetryAfter = durationpb.New(time.Duration(*vector.RetryAfterMS) * time.Millisecond)
				}
				err = refusedWith(t, refusal)
			}
			pause, isRepeated := edgehill.LeastPause(err, vector.Failures)
			equal(t, isRepeated, vector.PauseMS != nil)
			if isRepeated {
				equal(t, pause.Milliseconds(), *vector.PauseMS)
			}
		})
	}
}

type foldVectors struct {
	folds []struct {
		Game     string   `json:"game"`
		Observer *uint32  `json:"observer"`
		Start    string   `json:"start"`
		Events   []string `json:"events"`
		End      string   `json:"end"`
	}
	trackers []struct {
		Name     string            `json:"name"`
		Seq      json.Number       `json:"seq"`
		View     json.RawMessage   `json:"view"`
		Updates  []json.RawMessage `json:"updates"`
		Expected struct {
			Fault string          `json:"fault"`
			View  json.RawMessage `json:"view"`
			Seq   json.Number     `json:"seq"`
		} `json:"expected"`
	}
}

func readFoldVectors(t *testing.T) (read foldVectors) {
	t.Helper()
	vectors(t, "folds.json", "edgehill-fold-vectors/1", map[string]any{"folds": &read.folds, "trackers": &read.trackers})
	return read
}

// parsed reads a message of base64.
func parsed[M proto.Message](t *testing.T, given string, message M) M {
	t.Helper()
	if err := proto.Unmarshal(ok(base64.StdEncoding.DecodeString(given))(t), message); err != nil {
		t.Fatal(err)
	}
	return message
}

// fromJSON reads a message of protobuf's JSON.
func fromJSON[M proto.Message](t *testing.T, given json.RawMessage, message M) M {
	t.Helper()
	if err := protojson.Unmarshal(given, message); err != nil {
		t.Fatal(err)
	}
	return message
}

func TestConformanceFolds(t *testing.T) {
	folded := map[string]bool{}
	for _, vector := range readFoldVectors(t).folds {
		t.Run(vector.Game, func(t *testing.T) {
			start := parsed(t, vector.Start, &v1.View{})
			end := parsed(t, vector.End, &v1.View{})
			view, events := start, []*v1.Event{}
			for _, given := range vector.Events {
				event := parsed(t, given, &v1.Event{})
				events = append(events, event)
				for _, change := range event.Changes {
					reflected := change.ProtoReflect()
					kind := reflected.WhichOneof(reflected.Descriptor().Oneofs().ByName("entry"))
					folded[string(kind.Name())] = true
				}
				view = ok(edgehill.Fold(view, event))(t)
			}
			sameMessage(t, view, end)
			sameMessage(t, start, parsed(t, vector.Start, &v1.View{}))
			if proto.Equal(start, end) {
				t.Fatal("nothing has changed")
			}
			// Folding is replacing: a second time it changes nothing that was not changed since.
			sameMessage(t, ok(edgehill.Fold(view, last(t, events)))(t), end)
		})
	}
	fields := (&v1.Change{}).ProtoReflect().Descriptor().Oneofs().ByName("entry").Fields()
	for i := range fields.Len() {
		if name := string(fields.Get(i).Name()); !folded[name] {
			t.Errorf("no fold has %s", name)
		}
	}
}

func TestConformanceTrackers(t *testing.T) {
	for _, vector := range readFoldVectors(t).trackers {
		t.Run(vector.Name, func(t *testing.T) {
			var tracker edgehill.ViewTracker
			tracker.Begin(fromJSON(t, vector.View, &v1.View{}), ok(strconv.ParseUint(vector.Seq.String(), 10, 64))(t))
			var err error
			for _, update := range vector.Updates {
				if err == nil {
					err = tracker.Fold(fromJSON(t, update, &v1.SeatUpdate{}))
				}
			}
			if fault := vector.Expected.Fault; fault != "" {
				expected := map[string]error{"gap": edgehill.ErrSequenceGap, "unknown_change": edgehill.ErrUnknownChange}
				is(t, err, expected[fault])
				is(t, err, edgehill.ErrFold)
				if tracker.View != nil {
					t.Fatal("the view is still there")
				}
				return
			}
			ok(0, err)(t)
			sameMessage(t, tracker.View, fromJSON(t, vector.Expected.View, &v1.View{}))
			equal(t, strconv.FormatUint(tracker.Seq, 10), vector.Expected.Seq.String())
		})
	}
}

func TestEveryFaultIsInSomeVector(t *testing.T) {
	var found []string
	for _, vector := range recordVectors(t) {
		found = append(found, vector.Fault)
	}
	for fault := range recordFaults {
		if !slices.Contains(found, fault) {
			t.Errorf("no record has the fault %s", fault)
		}
	}
}
