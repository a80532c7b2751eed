{{- define "quota.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "quota.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Secret of a program: given the chart's top and the program's own existingSecret. */}}
{{- define "quota.secret" -}}
{{- $credentials := .top.Values.credentials -}}
{{- if .own -}}
{{ .own }}
{{- else if $credentials.existingSecret -}}
{{ $credentials.existingSecret }}
{{- else if $credentials.properties -}}
{{ .top.Release.Name }}-credentials
{{- end }}
{{- end }}

{{- define "quota.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "quota.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "quota.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Native code is unpacked to /tmp and loaded from there. */}}
{{- define "quota.mounts" -}}
- name: settings
  mountPath: /etc/quota-enforcer/settings
- name: tmp
  mountPath: /tmp
{{- if include "quota.secret" . }}
- name: credentials
  mountPath: /etc/quota-enforcer/credentials
{{- end }}
{{- end }}

{{- define "quota.volumes" -}}
- name: settings
  configMap:
    name: {{ .top.Release.Name }}-settings
- name: tmp
  emptyDir: {}
{{- with include "quota.secret" . }}
- name: credentials
  secret:
    secretName: {{ . }}
{{- end }}
{{- end }}

{{- define "quota.credentialsVariable" -}}
{{- if include "quota.secret" . }}
- name: QUOTA_COMMAND_CONFIG
  value: /etc/quota-enforcer/credentials/kafka.properties
{{- end }}
{{- end }}
