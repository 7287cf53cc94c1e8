{{- /* The name of a class's Secret stands in every PV that was made of it: (list root class key). It never changes. */ -}}
{{- define "fairlead.classSecretName" -}}
{{- printf "%s-%s-%s" (index . 2) (index . 1).name (include "fairlead.fullname" (index . 0)) | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "fairlead.parameters" -}}
{{- $root := index . 0 -}}
{{- $class := index . 1 -}}
{{- range $key, $value := $class.parameters }}
{{- if not (kindIs "invalid" $value) }}
{{ $key }}: {{ toString $value | quote }}
{{- end }}
{{- end }}
{{- range $key, $_ := $class.secrets }}
csi.storage.k8s.io/{{ $key }}-name: {{ include "fairlead.classSecretName" (list $root $class $key) }}
csi.storage.k8s.io/{{ $key }}-namespace: {{ $root.Release.Namespace }}
{{- end }}
{{- end -}}

{{- define "fairlead.classSecrets" -}}
{{- $root := index . 0 -}}
{{- $class := index . 1 -}}
{{- range $key, $data := $class.secrets }}
---
apiVersion: v1
kind: Secret
metadata:
  name: {{ include "fairlead.classSecretName" (list $root $class $key) }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "fairlead.labels" $root | nindent 4 }}
type: Opaque
{{- with $data }}
stringData:
  {{- range $name, $value := . }}
  {{ $name }}: {{ toString $value | quote }}
  {{- end }}
{{- end }}
{{- end }}
{{- end -}}
