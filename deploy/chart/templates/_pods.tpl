{{- define "fairlead.apiAccessVolume" -}}
- name: api-access
  projected:
    defaultMode: 0444
    sources:
      - serviceAccountToken: {path: token, expirationSeconds: 3607}
      - configMap: {name: kube-root-ca.crt, items: [{key: ca.crt, path: ca.crt}]}
      - downwardAPI: {items: [{path: namespace, fieldRef: {fieldPath: metadata.namespace}}]}
{{- end -}}

{{- define "fairlead.apiAccessMount" -}}
- name: api-access
  mountPath: /var/run/secrets/kubernetes.io/serviceaccount
  readOnly: true
{{- end -}}

{{- define "fairlead.podEnv" -}}
- name: POD_NAME
  valueFrom: {fieldRef: {fieldPath: metadata.name}}
- name: POD_NAMESPACE
  valueFrom: {fieldRef: {fieldPath: metadata.namespace}}
- name: POD_IP
  valueFrom: {fieldRef: {fieldPath: status.podIP}}
- name: POD_UID
  valueFrom: {fieldRef: {fieldPath: metadata.uid}}
{{- end -}}

{{- define "fairlead.caEnv" -}}
{{- if .Values.extraCaCerts }}
- name: NODE_EXTRA_CA_CERTS
  value: /tmp/certs/extra-ca-certs.crt
{{- end }}
{{- end -}}

{{- define "fairlead.caMount" -}}
{{- if .Values.extraCaCerts }}
- name: extra-ca-certs
  mountPath: /tmp/certs
  readOnly: true
{{- end }}
{{- end -}}

{{- define "fairlead.caVolume" -}}
{{- if .Values.extraCaCerts }}
- name: extra-ca-certs
  configMap:
    name: {{ include "fairlead.fullname" . }}
    items: [{key: extra-ca-certs, path: extra-ca-certs.crt}]
{{- end }}
{{- end -}}

{{- /* A started JVM answers within a second; a slow disk and a cold image may need many. */ -}}
{{- /*
Where the driver listens by HTTP: (list root values path-of-the-values). A pod with a network of its own: on all of it, which
is where kubelet probes. On the host's network: 127.0.0.1, which kubelet reaches and no pod does; the host's address where
metrics are to be scraped.
*/ -}}
{{- define "fairlead.httpAddress" -}}
{{- $root := index . 0 -}}
{{- $values := index . 1 -}}
{{- if $values.httpAddress -}}
  {{- if and (not $values.hostNetwork) (or (hasPrefix "127." $values.httpAddress) (eq $values.httpAddress "::1")) -}}
    {{- fail (printf "%s.httpAddress: kubelet does not reach %s in a network of the pod's own: leave it out, or set %s.hostNetwork to true" (index . 2) $values.httpAddress (index . 2)) -}}
  {{- end -}}
  {{- $values.httpAddress -}}
{{- else if $values.hostNetwork -}}
  {{- ternary "$(POD_IP)" "127.0.0.1" (not (empty (include "fairlead.monitored" $root))) -}}
{{- end -}}
{{- end -}}

{{- /* The same as the flag takes it: IPv6 in brackets, and of what is known on the node alone nobody knows which it is. */ -}}
{{- define "fairlead.httpEndpoint" -}}
{{- $address := include "fairlead.httpAddress" . -}}
{{- if or (contains ":" $address) (hasPrefix "$" $address) -}}{{- $address = printf "[%s]" $address -}}{{- end -}}
{{- printf "%s:%d" $address (int (index . 1).httpPort) -}}
{{- end -}}

{{- /* As above; kubelet probes the pod's address where the driver listens there. */ -}}
{{- define "fairlead.probes" -}}
{{- $address := include "fairlead.httpAddress" . -}}
{{- $host := "" -}}
{{- if and $address (not (has $address (list "$(POD_IP)" "0.0.0.0" "::"))) -}}{{- $host = printf ", host: %q" $address -}}{{- end -}}
startupProbe:
  httpGet: {path: /livez, port: http{{ $host }}}
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /livez, port: http{{ $host }}}
  periodSeconds: 20
  timeoutSeconds: 10
  failureThreshold: 3
readinessProbe:
  httpGet: {path: /readyz, port: http{{ $host }}}
  periodSeconds: 5
  timeoutSeconds: 5
{{- end -}}

{{- /* Folders of the host, at the same path in the container. */ -}}
{{- define "fairlead.hostPathMounts" -}}
{{- range $i, $h := . }}
- name: host-{{ $i }}
  mountPath: {{ $h.path | quote }}
  # What is mounted there on the host later is seen here, too.
  mountPropagation: HostToContainer
  {{- if $h.readOnly }}
  readOnly: true
  {{- end }}
{{- end }}
{{- end -}}

{{- define "fairlead.hostPathVolumes" -}}
{{- range $i, $h := . }}
- name: host-{{ $i }}
  hostPath:
    path: {{ $h.path | quote }}
    type: {{ $h.type | default "DirectoryOrCreate" }}
{{- end }}
{{- end -}}

{{- /* The connections' folder: the Secret may be made later, so that a release without connections starts. */ -}}
{{- define "fairlead.connectionsVolume" -}}
{{- with include "fairlead.connectionsSecret" . }}
- name: connections
  secret:
    secretName: {{ . }}
    defaultMode: 0440
    optional: true
{{- end }}
{{- end -}}

{{- define "fairlead.connectionsMount" -}}
{{- if include "fairlead.connectionsSecret" . }}
- name: connections
  mountPath: {{ include "fairlead.connectionsPath" . }}
  readOnly: true
{{- end }}
{{- end -}}

{{- /* What every pod has: (dict root values account). */ -}}
{{- define "fairlead.podCommon" -}}
serviceAccountName: {{ .account }}
# The token is mounted into the containers that ask the API server, and no others.
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
terminationGracePeriodSeconds: {{ .values.terminationGracePeriodSeconds }}
hostNetwork: {{ .values.hostNetwork }}
{{- if .values.hostIPC }}
hostIPC: true
{{- end }}
{{- if .values.hostPID }}
hostPID: true
{{- end }}
dnsPolicy: {{ if and (not .values.hostNetwork) (eq .values.dnsPolicy "ClusterFirstWithHostNet") }}ClusterFirst{{ else }}{{ .values.dnsPolicy }}{{ end }}
{{- with .values.hostAliases }}
hostAliases:
  {{- toYaml . | nindent 2 }}
{{- end }}
nodeSelector:
  kubernetes.io/os: linux
  {{- with omit .values.nodeSelector "kubernetes.io/os" }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /*
Pods start anew where their main file or, with a controller in them, the certificates change, and stay where connections
do: (dict root controls).
*/ -}}
{{- define "fairlead.checksums" -}}
{{- if not .root.Values.driver.existingConfigSecret }}
checksum/secret: {{ include "fairlead.config" .root | sha256sum }}
{{- end }}
{{- if and .controls .root.Values.extraCaCerts }}
checksum/configmap: {{ .root.Values.extraCaCerts | sha256sum }}
{{- end }}
{{- end -}}
