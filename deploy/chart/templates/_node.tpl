{{- /*
One DaemonSet: (dict root values component group avoid). Without a group it is that of .Values.node, which stays off the
nodes of the groups: two drivers on one node would want the same socket.
*/ -}}
{{- define "fairlead.nodeDaemonSet" -}}
{{- $root := .root -}}
{{- $v := $root.Values -}}
{{- $n := .values -}}
{{- $full := include "fairlead.fullname" $root -}}
{{- $drivers := include "fairlead.drivers" $root | fromJsonArray -}}
{{- $local := and $v.controller.enabled (eq $v.controller.strategy "node") -}}
{{- $readsLabels := include "fairlead.readsLabels" $root -}}
{{- $nvme := include "fairlead.mountsNvme" (list $root $n) -}}
{{- $events := and $local $v.controller.events -}}
{{- $claims := or $events $n.claimEvents -}}
{{- $taint := "" -}}
{{- if $n.startupTaint.enabled -}}
  {{- $taint = include "fairlead.startupTaint" (dict "root" $root "values" $n) -}}
  {{- if not (has (dict "operator" "Exists") $n.tolerations) -}}
    {{- $n = set (deepCopy $n) "tolerations" (append $n.tolerations (dict "key" $taint "operator" "Exists")) -}}
  {{- end -}}
{{- end -}}
{{- if $n.drainHook.enabled -}}
  {{- $n = set (deepCopy $n) "terminationGracePeriodSeconds" (add $n.terminationGracePeriodSeconds $n.drainHook.timeoutSeconds) -}}
{{- end -}}
{{- $asksApi := or $local $readsLabels $claims $taint $n.drainHook.enabled -}}
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: {{ $full }}-node{{ with .group }}-{{ . }}{{ end }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "fairlead.labels" $root | nindent 4 }}
    app.kubernetes.io/csi-role: node
    app.kubernetes.io/component: {{ .component }}
    {{- with $n.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with $n.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  selector:
    matchLabels:
      {{- include "fairlead.selector" (list $root "node" .component) | nindent 6 }}
  updateStrategy:
    {{- toYaml $n.updateStrategy | nindent 4 }}
  template:
    metadata:
      annotations:
        kubectl.kubernetes.io/default-container: csi-driver
        {{- include "fairlead.checksums" (dict "root" $root "controls" $local) | nindent 8 }}
        {{- with $n.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      labels:
        {{- with $n.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        {{- include "fairlead.selector" (list $root "node" .component) | nindent 8 }}
    spec:
      {{- include "fairlead.podCommon" (dict "root" $root "values" $n "account" (include "fairlead.nodeAccount" $root)) | nindent 6 }}
      securityContext:
        seccompProfile: {type: RuntimeDefault}
      {{- with include "fairlead.nodeAffinity" . | fromJson }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: csi-driver
          image: {{ include "fairlead.ownImage" $root | quote }}
          imagePullPolicy: {{ $v.image.pullPolicy }}
          args:
            - {{ ternary "all" "node" $local }}
            {{- range $drivers }}
            - --csi-name={{ .name }}
            - --server-socket={{ $n.kubeletHostPath }}/plugins/{{ .name }}/csi.sock
            {{- end }}
            - --registration-dir={{ $n.kubeletHostPath }}/plugins_registry
            - --driver-config-file=/etc/fairlead/main/driver-config-file.yaml
            - --http-endpoint={{ include "fairlead.httpEndpoint" (list $root $n "node") }}
            {{- if $events }}
            - --kubernetes-events
            {{- end }}
            {{- if $claims }}
            - --kubernetes-claim-events
            {{- end }}
            {{- if $local }}
            - --kubernetes-sources
            {{- end }}
            {{- with $taint }}
            - --startup-taint={{ . }}
            {{- end }}
            - --log-level={{ $n.driver.logLevel }}
            - --log-format={{ $v.driver.logFormat }}
          env:
            - name: CSI_NODE_ID
              valueFrom: {fieldRef: {fieldPath: spec.nodeName}}
            {{- if include "fairlead.publishes" $root }}
            - name: CSI_NODE_ADDRESS
              valueFrom: {fieldRef: {fieldPath: status.hostIP}}
            {{- end }}
            {{- include "fairlead.podEnv" $root | nindent 12 }}
            {{- if $local }}
            {{- include "fairlead.caEnv" $root | trim | nindent 12 }}
            {{- end }}
            {{- with $n.driver.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          ports:
            - name: http
              containerPort: {{ $n.httpPort }}
              {{- if $n.hostNetwork }}
              hostPort: {{ $n.httpPort }}
              {{- end }}
              protocol: TCP
          {{- if $n.livenessProbe.enabled }}
          {{- include "fairlead.probes" (list $root $n "node") | nindent 10 }}
          {{- end }}
          {{- $lifecycle := $n.driver.lifecycle | default dict }}
          {{- if $n.drainHook.enabled }}
          {{- $wait := list "/usr/bin/fairlead" "drain-wait" (printf "--kubelet-dir=%s" $n.kubeletHostPath) (printf "--timeout=%d" (int $n.drainHook.timeoutSeconds)) }}
          {{- range $drivers }}{{ $wait = append $wait (printf "--csi-name=%s" .name) }}{{ end }}
          {{- $lifecycle = merge (dict "preStop" (dict "exec" (dict "command" $wait))) $lifecycle }}
          {{- end }}
          {{- with $lifecycle }}
          lifecycle:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          securityContext:
            # What is mounted here has to appear in the pods: mounts travel back to the host (mountPropagation:
            # Bidirectional, below), which Kubernetes allows to privileged containers alone.
            privileged: true
            readOnlyRootFilesystem: true
            runAsUser: 0
          {{- with $n.driver.resources }}
          resources:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          volumeMounts:
            # The same path as on the host, since kubelet's paths come in the calls, and those of the sockets go to it.
            - name: kubelet-dir
              mountPath: {{ $n.kubeletHostPath }}
              mountPropagation: Bidirectional
            # Mounted for one thing: kubelet makes the folder of the socket. At a path of its own, since a mount below
            # kubelet-dir would stay behind on the host.
            {{- range $drivers }}
            - name: plugin-dir{{ .suffix }}
              mountPath: {{ .folder }}
            {{- end }}
            # Devices that are attached later appear in the host's alone.
            - name: dev-dir
              mountPath: /dev
            # The way to the host's programs (docs/operate/tools.md).
            - name: proc-dir
              mountPath: /host/proc
              readOnly: true
            {{- if $nvme }}
            # The name by which NVMe targets know the host.
            - name: nvme-dir
              mountPath: /etc/nvme
              readOnly: true
            {{- end }}
            - name: config
              mountPath: /etc/fairlead/main
              readOnly: true
            {{- if $local }}
            {{- include "fairlead.connectionsMount" $root | trim | nindent 12 }}
            {{- end }}
            - name: tmp
              mountPath: /tmp
            {{- if $asksApi }}
            {{- include "fairlead.apiAccessMount" $root | nindent 12 }}
            {{- end }}
            {{- if $local }}
            {{- include "fairlead.caMount" $root | trim | nindent 12 }}
            {{- end }}
            {{- include "fairlead.hostPathMounts" $n.hostPaths | trim | nindent 12 }}
            {{- with $n.driver.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
        {{- if $local }}
        {{- include "fairlead.sidecars" (dict "root" $root "parts" (list "provisioner" "snapshotter") "socketVolume" "plugin-dir") | trim | nindent 8 }}
        {{- end }}
        {{- with $n.extraContainers }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      volumes:
        - name: kubelet-dir
          hostPath: {path: {{ $n.kubeletHostPath | quote }}, type: Directory}
        {{- range $drivers }}
        - name: plugin-dir{{ .suffix }}
          hostPath: {path: {{ printf "%s/plugins/%s" $n.kubeletHostPath .name | quote }}, type: DirectoryOrCreate}
        {{- end }}
        - name: dev-dir
          hostPath: {path: /dev, type: Directory}
        - name: proc-dir
          hostPath: {path: /proc, type: Directory}
        {{- if $nvme }}
        - name: nvme-dir
          hostPath:
            path: {{ $n.driver.nvmeDirHostPath | quote }}
            type: {{ $n.driver.nvmeDirHostPathType | quote }}
        {{- end }}
        - name: config
          secret:
            secretName: {{ include "fairlead.nodeConfigSecret" $root }}
            defaultMode: 0400
        {{- if $local }}
        {{- include "fairlead.connectionsVolume" $root | trim | nindent 8 }}
        {{- end }}
        - name: tmp
          emptyDir: {sizeLimit: 64Mi}
        {{- if $asksApi }}
        {{- include "fairlead.apiAccessVolume" $root | nindent 8 }}
        {{- end }}
        {{- if $local }}
        {{- include "fairlead.caVolume" $root | trim | nindent 8 }}
        {{- end }}
        {{- include "fairlead.hostPathVolumes" $n.hostPaths | trim | nindent 8 }}
        {{- with $n.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- end -}}

{{- /* The key of the taint that nodes are born with: (dict root values). */ -}}
{{- define "fairlead.startupTaint" -}}
{{- .values.startupTaint.key | default (printf "%s/agent-not-ready" (lower .root.Values.csiDriver.name)) -}}
{{- end -}}

{{- /* Whether the driver of any node tells of volumes by events on their claims. */ -}}
{{- define "fairlead.claimEvents" -}}
{{- $local := and .Values.controller.enabled (eq .Values.controller.strategy "node") -}}
{{- if or (and $local .Values.controller.events) (and .Values.node.enabled .Values.node.claimEvents) }}true{{ end -}}
{{- range $group := .Values.nodeGroups -}}
  {{- if ternary $group.claimEvents $.Values.node.claimEvents (hasKey $group "claimEvents") }}true{{ end -}}
{{- end -}}
{{- end -}}

{{- /* Whether a switch is on for the nodes, or for those of a group: (list root "drainHook"). */ -}}
{{- define "fairlead.anyNode" -}}
{{- $root := index . 0 -}}
{{- $key := index . 1 -}}
{{- if and $root.Values.node.enabled (get $root.Values.node $key).enabled }}true{{ end -}}
{{- range $root.Values.nodeGroups -}}
  {{- if dig "enabled" (get $root.Values.node $key).enabled (get . $key | default dict) }}true{{ end -}}
{{- end -}}
{{- end -}}

{{- define "fairlead.nodeConfigSecret" -}}
{{- .Values.node.existingConfigSecret | default .Values.driver.existingConfigSecret | default (printf "%s-node-config" (include "fairlead.fullname" .)) -}}
{{- end -}}

{{- /*
The affinity of values, and for each group of avoid: not on its nodes. A node is of a group where all labels of its
selector fit, so it is of none where for each group one does not: the terms are all ways to choose that one.
*/ -}}
{{- define "fairlead.nodeAffinity" -}}
{{- $affinity := deepCopy (.values.affinity | default dict) -}}
{{- $ways := list (list) -}}
{{- range .avoid -}}
  {{- $selector := .nodeSelector -}}
  {{- $next := list -}}
  {{- range $way := $ways -}}
    {{- range $key := keys $selector | sortAlpha -}}
      {{- $next = append $next (append $way (dict "key" $key "operator" "NotIn" "values" (list (get $selector $key)))) -}}
    {{- end -}}
  {{- end -}}
  {{- $ways = $next -}}
{{- end -}}
{{- if .avoid -}}
  {{- $node := get $affinity "nodeAffinity" | default dict -}}
  {{- $required := get $node "requiredDuringSchedulingIgnoredDuringExecution" | default dict -}}
  {{- $theirs := get $required "nodeSelectorTerms" | default (list (dict)) -}}
  {{- $terms := list -}}
  {{- range $term := $theirs -}}
    {{- range $way := $ways -}}
      {{- $terms = append $terms (merge (dict "matchExpressions" (concat (get $term "matchExpressions" | default list) $way)) (omit $term "matchExpressions")) -}}
    {{- end -}}
  {{- end -}}
  {{- $_ := set $required "nodeSelectorTerms" $terms -}}
  {{- $_ := set $node "requiredDuringSchedulingIgnoredDuringExecution" $required -}}
  {{- $_ := set $affinity "nodeAffinity" $node -}}
{{- end -}}
{{- toJson $affinity -}}
{{- end -}}
