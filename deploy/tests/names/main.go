// Says what the collector's exporter for Prometheus calls metrics: a list of name, kind and unit comes in, a list of names goes out.
package main

import (
	"encoding/json"
	"log"
	"os"

	"github.com/prometheus/otlptranslator"
)

type instrument struct{ Name, Kind, Unit string }

var types = map[string]otlptranslator.MetricType{
	"counter":         otlptranslator.MetricTypeMonotonicCounter,
	"up-down counter": otlptranslator.MetricTypeNonMonotonicCounter,
	"gauge":           otlptranslator.MetricTypeGauge,
	"histogram":       otlptranslator.MetricTypeHistogram,
}

func main() {
	var instruments []instrument
	if err := json.NewDecoder(os.Stdin).Decode(&instruments); err != nil {
		log.Fatal(err)
	}
	namer := otlptranslator.NewMetricNamer("", otlptranslator.UnderscoreEscapingWithSuffixes)
	names := []string{}
	for _, one := range instruments {
		kind, known := types[one.Kind]
		if !known {
			log.Fatalf("%s is a %q", one.Name, one.Kind)
		}
		name, err := namer.Build(otlptranslator.Metric{Name: one.Name, Unit: one.Unit, Type: kind})
		if err != nil {
			log.Fatal(err)
		}
		names = append(names, name)
	}
	if err := json.NewEncoder(os.Stdout).Encode(names); err != nil {
		log.Fatal(err)
	}
}
