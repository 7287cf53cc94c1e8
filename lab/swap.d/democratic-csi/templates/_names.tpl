{{- define "full" -}}
{{ .Release.Name }}-democratic-csi
{{- end -}}
{{- define "labels" -}}
app.kubernetes.io/name: democratic-csi
helm.sh/chart: democratic-csi-{{ .Chart.Version }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}
{{- define "selector" -}}
app.kubernetes.io/name: democratic-csi
app.kubernetes.io/instance: {{ index . 0 }}
app.kubernetes.io/managed-by: Helm
app.kubernetes.io/csi-role: {{ index . 1 }}
app.kubernetes.io/component: {{ index . 1 }}-linux
{{- end -}}
{{- define "sidecarEnv" -}}
- name: NODE_NAME
  valueFrom: {fieldRef: {fieldPath: spec.nodeName}}
- name: NAMESPACE
  valueFrom: {fieldRef: {fieldPath: metadata.namespace}}
- name: POD_NAME
  valueFrom: {fieldRef: {fieldPath: metadata.name}}
{{- end -}}
{{- define "driverArgs" -}}
- --csi-version=1.5.0
- --csi-name={{ .Values.csiDriver.name }}
- --driver-config-file=/config/driver-config-file.yaml
- --log-level=info
{{- end -}}
{{- define "probe" -}}
livenessProbe:
  exec:
    command: [bin/liveness-probe, --csi-version=1.5.0, --csi-address=/csi-data/csi.sock.internal]
  failureThreshold: 3
  initialDelaySeconds: 10
  timeoutSeconds: 15
  periodSeconds: 60
{{- end -}}
{{- define "proxy" -}}
- name: csi-proxy
  image: {{ .Values.images.grpcProxy }}
  env:
    - {name: BIND_TO, value: "unix:///csi-data/csi.sock"}
    - {name: PROXY_TO, value: "unix:///csi-data/csi.sock.internal"}
  volumeMounts:
    - {name: socket-dir, mountPath: /csi-data}
{{- end -}}
