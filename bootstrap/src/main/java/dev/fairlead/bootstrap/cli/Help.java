package dev.fairlead.bootstrap.cli;

/** Holds the text of {@code fairlead --help}. */
public final class Help {
    public static final String TEXT = """
            Fairlead: one CSI driver for many storage connections.

            Look around
              fairlead demo [--json]               the real driver on a temporary folder: a volume's life
                        [--cluster]                or six pods in three zones of a real Kubernetes, that of lab/kube
              fairlead drivers                     every driver type, and whether it is built
              fairlead check FOLDER [--strict]     everything that is wrong with a folder of connections
                        [--main FILE] [--json]
              fairlead check --node                the programs that a node runs, and their versions
                        [--main FILE] [--json]

            Serve CSI
              fairlead controller OPTIONS          creates, deletes, expands, snapshots
              fairlead node OPTIONS                mounts; holds no storage credentials
              fairlead all OPTIONS                 both in one process: a single machine, or the node's own disks
              fairlead OPTIONS                     as democratic-csi: both, or what --csi-mode says

            Look after it
              fairlead affinity                    lets the node affinity of existing volumes follow the topology of
                        --csi-name=NAME            their connections; safe to be killed at any moment
                        --driver-config-file=FILE
                                                   LINSTOR's too, if LS_CONTROLLERS names its controllers; takes the
                                                   flags of its affinity controller (fairlead affinity --help)
              fairlead affinity --plan [--json]    only prints what would change, how and why (exit code 3)
              fairlead adopt hostpath [--plan]     makes volumes of kubevirt's former hostpath provisioner this driver's:
                        --csi-name=NAME            the same folders and claims, nothing is copied; and gives them back
                        --pool=NAME=PATH [--json]  (--back); --plan only prints what would change (exit code 3)
              fairlead liveness-probe              exit code 0 if the driver answers at its socket, else 1
                        [--csi-address=SOCKET] [--timeout=SECONDS]
              fairlead drain-wait                  returns once a node that is leaving holds no volume of these drivers
                        --csi-name=NAME            (at once if it stays); what the chart runs as a preStop hook
              fairlead uninstall-check             exit code 3, and a list, if Kubernetes has volumes or snapshots of
                        --csi-name=NAME            these drivers; what the chart asks before it is uninstalled

            Options (democratic-csi's; each is also a variable DEMOCRATIC_CSI_<OPTION>, such as DEMOCRATIC_CSI_LOG_LEVEL)
              --driver-config-file=FILE            the main file: driver: proxy, or one driver's own file
              --csi-name=NAME                      the CSIDriver's name
              --server-socket=PATH                 the Unix socket; both repeat in pairs for several names
              --server-socket-permissions-mode=M   default 0600
              --server-address=A --server-port=P   a TCP port, in plain text
              --csi-mode=controller|node           repeats; default both
              --csi-version=V                      accepted; the newest CSI is spoken, which older callers understand
              --log-level=LEVEL                    error, warn, info, verbose, debug or silly
              --log-format=json|text               default: json if NODE_ENV=production, else text

            Options of Fairlead's own (variables likewise)
              --registration-dir=DIR               a node registers itself with kubelet, whose plugins_registry this is
              --http-endpoint=[ADDRESS]:PORT       /livez, /readyz and /metrics; default: none
              --log-bodies                         requests and responses at info, as democratic-csi; default: at debug

            Kubernetes (by the pod's service account, or by the file that KUBECONFIG names; not asked unless told to)
              --leader-election                    a controller opens its socket only while it holds a Lease
              --leader-election-namespace=NS       default: POD_NAMESPACE, else the service account's
              --leader-election-lease=NAME         default: the first CSI name
              --startup-taint=KEY                  a node removes this taint of its own once kubelet knows its drivers
              --kubernetes-events                  tells of broken and repaired connections by events on this pod
              --kubernetes-claim-events            tells of volumes that are not well by events on their claims
              --kubernetes-sources                 storage of the node's own: asks which other node has a clone's source

            Environment
              CSI_NODE_ID                          this node's name (spec.nodeName); default: the hostname, if allowed
              NODE_ENV=production                  JSON lines, level info
              NODE_EXTRA_CA_CERTS                  a PEM file of authorities that a controller believes beside Java's
              POD_NAME, POD_NAMESPACE, POD_UID     this pod, for the Lease and for events

            SIGTERM and SIGINT end the calls that run and then the process, with exit code 0; a second one ends it at once.
            Exit code 1: the configuration or the command line cannot be used; the reason and the remedy are printed.

            Example
              CSI_NODE_ID=$(hostname) fairlead --csi-name=org.example.csi --driver-config-file=driver.yaml \\
                --server-socket=/tmp/csi.sock
            """;

    private Help() {}
}
