"""The dashboard and the alerts of a server, from the metrics that it has."""
