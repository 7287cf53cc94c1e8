{{- /*
The flags of a sidecar, as JSON: the chart's own, and over them those of a list of values. One mapping of all, so that a flag
stands once and the chart sees what it means for permissions. (dict root path socket flags extra); with lenient, what is the
chart's to set is passed over, since democratic-csi's args always have it.
*/ -}}
{{- define "fairlead.flags" -}}
{{- $out := deepCopy .flags -}}
{{- range $i, $raw := .extra | default list -}}
  {{- $arg := $raw -}}
  {{- if contains "{{" $raw -}}
    {{- $arg = tpl $raw (merge (dict "csiSocketAddress" $.socket) $.root) -}}
  {{- end -}}
  {{- if not (regexMatch "^--?[a-z][a-z0-9-]*(=.*)?$" $arg) -}}
    {{- fail (printf "%s[%d]: %q is no flag: write --name=value, one an entry" $.path $i $arg) -}}
  {{- end -}}
  {{- $word := $arg | trimPrefix "-" | trimPrefix "-" -}}
  {{- $name := regexReplaceAll "=.*$" $word "" -}}
  {{- $value := ternary (trimPrefix (printf "%s=" $name) $word) "true" (contains "=" $word) -}}
  {{- $ours := or (hasPrefix "leader-election" $name) (has $name (list "csi-address" "kubeconfig" "master")) -}}
  {{- if and $.lenient $ours -}}
  {{- else if and (hasPrefix "leader-election" $name) (not (and (eq $name "leader-election") (eq $value "false"))) -}}
    {{- fail (printf "%s[%d]: --%s: the sidecars follow the one Lease that Fairlead holds and elect nobody: remove it; controller.leaderElection.enabled is the switch" $.path $i $name) -}}
  {{- else if has $name (list "csi-address" "kubeconfig" "master") -}}
    {{- fail (printf "%s[%d]: --%s is the chart's to set: remove it" $.path $i $name) -}}
  {{- else if and (hasPrefix "node-deployment" $name) (ne $.root.Values.controller.strategy "node") (ne $value "false") -}}
    {{- fail (printf "%s[%d]: --%s is for a provisioner on each node: set controller.strategy to node, which sets it" $.path $i $name) -}}
  {{- else if ne $name "leader-election" -}}
    {{- $_ := set $out $name $value -}}
  {{- end -}}
{{- end -}}
{{- toJson $out -}}
{{- end -}}

{{- /* (dict root driver part) */ -}}
{{- define "fairlead.sidecarFlags" -}}
{{- $v := .root.Values -}}
{{- $local := eq $v.controller.strategy "node" -}}
{{- $key := printf "external%s" (title .part) -}}
{{- $values := get $v.controller $key -}}
{{- $socket := printf "%s/csi.sock" .driver.folder -}}
{{- $flags := dict "v" (toString $values.verbosityLevel) "csi-address" $socket "timeout" "60s" "kube-api-qps" "20" "kube-api-burst" "100" "retry-interval-max" "1m" -}}
{{- if $v.metrics.sidecars -}}
  {{- $_ := set $flags "http-endpoint" (printf ":%s" (include "fairlead.sidecarPort" .)) -}}
{{- end -}}
{{- if eq .part "provisioner" -}}
  {{- $_ := set $flags "worker-threads" (ternary "10" "100" $local) -}}
  {{- $_ := set $flags "extra-create-metadata" "true" -}}
  {{- $_ := set $flags "strict-topology" (toString $v.topology.strict) -}}
  {{- $_ := set $flags "immediate-topology" (toString $v.topology.immediate) -}}
  {{- if .driver.storageCapacity -}}
    {{- $_ := set $flags "enable-capacity" "true" -}}
    {{- /* One a second, its default, lets the first claim of a new class wait for half a minute. */ -}}
    {{- $_ := set $flags "kube-api-capacity-qps" "20" -}}
    {{- $_ := set $flags "kube-api-capacity-burst" "100" -}}
    {{- /* Owned by the workload, so that they outlive a pod's restart and end with the release. */ -}}
    {{- $_ := set $flags "capacity-ownerref-level" (ternary "1" "2" $local) -}}
  {{- end -}}
  {{- if $local -}}{{- $_ := set $flags "node-deployment" "true" -}}{{- end -}}
{{- else if eq .part "resizer" -}}
  {{- $_ := set $flags "resize-timeout" "60s" -}}
{{- else if eq .part "snapshotter" -}}
  {{- $_ := set $flags "extra-create-metadata" "true" -}}
  {{- if $local -}}{{- $_ := set $flags "node-deployment" "true" -}}{{- end -}}
{{- else if eq .part "attacher" -}}
  {{- $_ := set $flags "worker-threads" "20" -}}
{{- end -}}
{{- $flags = include "fairlead.flags" (dict "root" .root "path" (printf "controller.%s.args" $key) "socket" $socket "flags" $flags "extra" $values.args "lenient" true) | fromJson -}}
{{- include "fairlead.flags" (dict "root" .root "path" (printf "controller.%s.extraArgs" $key) "socket" $socket "flags" $flags "extra" $values.extraArgs) -}}
{{- end -}}

{{- define "fairlead.sidecarPort" -}}
{{- $base := dict "attacher" 8081 "provisioner" 8082 "resizer" 8083 "snapshotter" 8084 -}}
{{- add (get $base .part) (mul 10 (sub .driver.n 1)) -}}
{{- end -}}

{{- /* Whether a provisioner publishes capacity: (dict root driver). */ -}}
{{- define "fairlead.publishesCapacity" -}}
{{- $flags := include "fairlead.sidecarFlags" (dict "root" .root "driver" .driver "part" "provisioner") | fromJson -}}
{{- if eq (get $flags "enable-capacity" | default "false") "true" }}true{{ end -}}
{{- end -}}

{{- /* One sidecar's container: (dict root driver part socketVolume) */ -}}
{{- define "fairlead.sidecar" -}}
{{- $values := get .root.Values.controller (printf "external%s" (title .part)) -}}
{{- $flags := include "fairlead.sidecarFlags" . | fromJson -}}
- name: external-{{ .part }}{{ .driver.suffix }}
  image: {{ include "fairlead.image" (list $values.image "") | quote }}
  {{- if kindIs "map" $values.image }}
  imagePullPolicy: {{ $values.image.pullPolicy | default "IfNotPresent" }}
  {{- else }}
  imagePullPolicy: IfNotPresent
  {{- end }}
  args:
    {{- range $name := keys $flags | sortAlpha }}
    - {{ printf "--%s=%s" $name (get $flags $name) | quote }}
    {{- end }}
  env:
    - name: NODE_NAME
      valueFrom: {fieldRef: {fieldPath: spec.nodeName}}
    - name: NAMESPACE
      valueFrom: {fieldRef: {fieldPath: metadata.namespace}}
    - name: POD_NAME
      valueFrom: {fieldRef: {fieldPath: metadata.name}}
  {{- if .root.Values.metrics.sidecars }}
  ports:
    - name: {{ printf "%s%s" (trunc 6 .part) .driver.suffix }}
      containerPort: {{ include "fairlead.sidecarPort" . }}
      protocol: TCP
  {{- end }}
  securityContext:
    allowPrivilegeEscalation: false
    readOnlyRootFilesystem: true
    capabilities: {drop: [ALL]}
    {{- if and (eq .root.Values.controller.strategy "node") (has .part (list "provisioner" "snapshotter")) }}
    # In the nodes' pods the socket belongs to root: kubelet asks it too.
    runAsUser: 0
    runAsGroup: 0
    {{- end }}
  {{- with $values.resources }}
  resources:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  volumeMounts:
    - name: {{ .socketVolume }}
      mountPath: {{ .driver.folder }}
    - name: api-access
      mountPath: /var/run/secrets/kubernetes.io/serviceaccount
      readOnly: true
{{- end -}}

{{- /* Every sidecar of a pod: (dict root socketVolume), where the volume of name n is <socketVolume><suffix>. */ -}}
{{- define "fairlead.sidecars" -}}
{{- $root := .root -}}
{{- $socketVolume := .socketVolume -}}
{{- range $driver := include "fairlead.drivers" $root | fromJsonArray }}
{{- range $part := $.parts }}
{{- if and (include "fairlead.part" (list $root $part)) (or (ne $part "attacher") $driver.attachRequired) }}
{{ include "fairlead.sidecar" (dict "root" $root "driver" $driver "part" $part "socketVolume" (printf "%s%s" $socketVolume $driver.suffix)) }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
