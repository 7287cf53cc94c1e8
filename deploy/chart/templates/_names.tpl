{{- define "fairlead.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "fairlead.fullname" -}}
{{- $name := .Values.nameOverride | default .Chart.Name -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- /* What no object may lack. */ -}}
{{- define "fairlead.labels" -}}
app.kubernetes.io/name: {{ include "fairlead.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{- /*
The labels by which a workload knows its pods: (list root role component). They cannot change in an object that is there,
so they are those of the chart democratic-csi, whose releases are taken over in place.
*/ -}}
{{- define "fairlead.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ include "fairlead.name" $root }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
app.kubernetes.io/csi-role: {{ index . 1 }}
app.kubernetes.io/component: {{ index . 2 }}
{{- end -}}

{{- define "fairlead.controllerAccount" -}}
{{- .Values.controller.serviceAccount.name | default (ternary (printf "%s-controller" (include "fairlead.fullname" .)) "default" .Values.controller.rbac.enabled) -}}
{{- end -}}

{{- define "fairlead.nodeAccount" -}}
{{- .Values.node.serviceAccount.name | default (ternary (printf "%s-node" (include "fairlead.fullname" .)) "default" .Values.node.rbac.enabled) -}}
{{- end -}}

{{- /* The account that the sidecars act under. */ -}}
{{- define "fairlead.sidecarAccount" -}}
{{- if eq .Values.controller.strategy "node" }}{{ include "fairlead.nodeAccount" . }}{{ else }}{{ include "fairlead.controllerAccount" . }}{{ end -}}
{{- end -}}

{{- /*
The name of an image. Values of the chart democratic-csi have the whole name in registry, and older ones a text for all of
it; a registry that ends as the repository does is such a name.
*/ -}}
{{- define "fairlead.image" -}}
{{- $image := index . 0 -}}
{{- $tag := index . 1 -}}
{{- if kindIs "string" $image -}}
{{- $image -}}
{{- else -}}
{{- $tag = $image.tag | default $tag -}}
{{- $name := $image.repository -}}
{{- if $image.registry -}}
{{- $name = ternary $image.registry (printf "%s/%s" (trimSuffix "/" $image.registry) $image.repository) (eq (base $image.registry) (base $image.repository)) -}}
{{- end -}}
{{- printf "%s%s%s" $name (ternary "@" ":" (hasPrefix "sha256:" $tag)) $tag -}}
{{- end -}}
{{- end -}}

{{- /* Values of the chart linstor-affinity-controller name an image that is not Fairlead's; its tag goes with it. */ -}}
{{- define "fairlead.ownImage" -}}
{{- $image := .Values.image -}}
{{- if include "fairlead.theirImage" . -}}{{- $image = dict "repository" "fairlead" -}}{{- end -}}
{{- include "fairlead.image" (list $image .Chart.AppVersion) -}}
{{- end -}}

{{- define "fairlead.theirImage" -}}
{{- if hasSuffix "linstor-affinity-controller" .Values.image.repository }}true{{ end -}}
{{- end -}}

{{- define "fairlead.leaseName" -}}
{{- printf "%s-controller" (include "fairlead.fullname" . | trunc 52 | trimSuffix "-") -}}
{{- end -}}
