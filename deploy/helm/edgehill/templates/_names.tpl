{{/* The name of everything in the release: no longer than the 63 bytes of a label less the suffixes in use. */}}
{{- define "edgehill.name" -}}
{{- $chart := default .Chart.Name .Values.nameOverride -}}
{{- if contains $chart .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $chart | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What a selector names. It never changes in the life of a release. */}}
{{- define "edgehill.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "edgehill.labels" -}}
{{ include "edgehill.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "edgehill.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}
{{- end -}}

{{- define "edgehill.keySecret" -}}
{{ default (printf "%s-key" (include "edgehill.name" .)) .Values.key.existingSecret }}
{{- end -}}

{{/* The Secret of the accounts; empty: there are none. */}}
{{- define "edgehill.accountsSecret" -}}
{{- if .Values.accounts.existingSecret -}}
{{ .Values.accounts.existingSecret }}
{{- else if .Values.accounts.value -}}
{{ include "edgehill.name" . }}-accounts
{{- end -}}
{{- end -}}

{{/* The ports of the database's hosts, each once, as JSON: 5432 where the address names none. */}}
{{- define "edgehill.databasePorts" -}}
{{- $hosts := .Values.database.address | regexFind "@[^/]+" | trimPrefix "@" | splitList "," -}}
{{- $ports := list -}}
{{- range $hosts -}}
{{- $ports = append $ports (default "5432" (regexFind ":[0-9]+$" . | trimPrefix ":") | int) -}}
{{- end -}}
{{- $ports | uniq | toJson -}}
{{- end -}}
