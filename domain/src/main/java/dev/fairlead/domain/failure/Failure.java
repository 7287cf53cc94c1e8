package dev.fairlead.domain.failure;

import java.time.Duration;
import java.util.List;

/**
 * A failure is anything that Fairlead may answer besides success.
 *
 * <p>Each case has a stable {@link #code()} that the documentation explains, and a message that says what failed, on
 * which connection, and what to do next. A message never carries a secret. The sealed set lets one switch in the gRPC
 * adapter map every case to a status; a new case does not compile until that switch knows it.
 */
public sealed interface Failure {
    /**
     * Returns the stable code, such as {@code FL-VOL-001}; the page of that name in {@code docs/errors} explains it.
     */
    String code();

    /** Returns what failed and what to do next, in full sentences. */
    String message();

    // --- not found ---------------------------------------------------------------------------------------------

    /** No volume of this handle exists. */
    record VolumeNotFound(String handle) implements Failure {
        @Override
        public String code() {
            return "FL-VOL-001";
        }

        @Override
        public String message() {
            return "volume " + handle + " does not exist";
        }
    }

    /** No snapshot of this handle exists. */
    record SnapshotNotFound(String handle) implements Failure {
        @Override
        public String code() {
            return "FL-SNAP-001";
        }

        @Override
        public String message() {
            return "snapshot " + handle + " does not exist";
        }
    }

    /** No group of snapshots of this handle exists. */
    record GroupNotFound(String handle) implements Failure {
        @Override
        public String code() {
            return "FL-SNAP-003";
        }

        @Override
        public String message() {
            return "group snapshot " + handle + " does not exist";
        }
    }

    /** The volume is not mounted at the path that a node call names. */
    record NotMounted(String handle, String path) implements Failure {
        @Override
        public String code() {
            return "FL-NODE-001";
        }

        @Override
        public String message() {
            return "volume " + handle + " is not mounted at " + path;
        }
    }

    // --- exists, but differs -----------------------------------------------------------------------------------

    /** A volume of this name exists and differs from what is asked for. */
    record VolumeConflict(String handle, String difference) implements Failure {
        @Override
        public String code() {
            return "FL-VOL-002";
        }

        @Override
        public String message() {
            return "volume " + handle + " exists and differs: " + difference;
        }
    }

    /** A snapshot of this name exists and differs from what is asked for. */
    record SnapshotConflict(String handle, String difference) implements Failure {
        @Override
        public String code() {
            return "FL-SNAP-002";
        }

        @Override
        public String message() {
            return "snapshot " + handle + " exists and differs: " + difference;
        }
    }

    /** A group of snapshots of this name exists and differs from what is asked for. */
    record GroupConflict(String handle, String difference) implements Failure {
        @Override
        public String code() {
            return "FL-SNAP-004";
        }

        @Override
        public String message() {
            return "group snapshot " + handle + " exists and differs: " + difference;
        }
    }

    /** Something is mounted at the target or staging path, and it is not what is asked for. */
    record MountConflict(String path, String difference) implements Failure {
        @Override
        public String code() {
            return "FL-NODE-002";
        }

        @Override
        public String message() {
            return path + " is in use and differs: " + difference;
        }
    }

    // --- not now -----------------------------------------------------------------------------------------------

    /** The volume or snapshot cannot be deleted while something depends on it. */
    record InUse(String handle, String by, String remedy) implements Failure {
        public InUse(String handle, String by) {
            this(handle, by, "remove that first");
        }

        @Override
        public String code() {
            return "FL-VOL-003";
        }

        @Override
        public String message() {
            return handle + " is in use by " + by + "; " + remedy;
        }
    }

    /** The volume's place is taken by something that neither Fairlead nor a driver that it succeeds made. */
    record NotOurs(String handle, String found) implements Failure {
        @Override
        public String code() {
            return "FL-VOL-004";
        }

        @Override
        public String message() {
            return "the place of " + handle + " is taken by " + found
                    + ", which this connection did not make and does not touch";
        }
    }

    /** A volume of a single-writer mode is published at another path of this node already. */
    record MountedElsewhere(String handle, String where) implements Failure {
        @Override
        public String code() {
            return "FL-NODE-003";
        }

        @Override
        public String message() {
            return "volume " + handle + " has an access mode for one publication at a time and is published at "
                    + where;
        }
    }

    /** NodePublishVolume was called before NodeStageVolume. */
    record NotStaged(String handle, String path) implements Failure {
        @Override
        public String code() {
            return "FL-NODE-004";
        }

        @Override
        public String message() {
            return "volume " + handle + " is not staged at '" + path + "'; NodeStageVolume comes first";
        }
    }

    // --- publishing ----------------------------------------------------------------------------------------------

    /** No node of this driver has this node_id. */
    record NodeNotFound(String nodeId) implements Failure {
        @Override
        public String code() {
            return "FL-PUB-001";
        }

        @Override
        public String message() {
            return "node " + Excerpt.of(nodeId) + " does not exist: no node of this driver has such a node_id";
        }
    }

    /** The node_id lacks the name or address by which the storage would admit the node. */
    record NodeUnfit(String handle, String nodeId, String lack, String remedy) implements Failure {
        @Override
        public String code() {
            return "FL-PUB-002";
        }

        @Override
        public String message() {
            return "volume " + handle + " cannot be published to node " + Excerpt.of(nodeId) + ", whose node_id " + lack
                    + "; " + remedy;
        }
    }

    /** Another node has the volume, and the access mode allows one node at a time. */
    record PublishedToOtherNode(String handle, String node, String mode) implements Failure {
        @Override
        public String code() {
            return "FL-PUB-003";
        }

        @Override
        public String message() {
            return "volume " + handle + " is published to node " + node + " as " + mode
                    + ", and may be with one node at a time; it has to be unpublished there first";
        }
    }

    /** The volume is already published to the node, in another way than is asked for. */
    record PublishConflict(String handle, String node, String difference) implements Failure {
        @Override
        public String code() {
            return "FL-PUB-004";
        }

        @Override
        public String message() {
            return "volume " + handle + " is published to node " + node + " already, and differs: " + difference;
        }
    }

    // --- no room, no way ---------------------------------------------------------------------------------------

    /** The storage has too little room. */
    record OutOfSpace(String connection, String detail) implements Failure {
        @Override
        public String code() {
            return "FL-CAP-001";
        }

        @Override
        public String message() {
            return "connection " + connection + " has no room: " + detail;
        }
    }

    /** No candidate connection is reachable from where the volume is wanted. */
    record Unreachable(String detail) implements Failure {
        @Override
        public String code() {
            return "FL-TOPO-001";
        }

        @Override
        public String message() {
            return detail;
        }
    }

    /**
     * The content that a volume is to have is not on this node.
     *
     * @param witness the source that says where the content is, and its words
     * @param next what happens now
     */
    record SourceElsewhere(String handle, String witness, String next) implements Failure {
        @Override
        public String code() {
            return "FL-TOPO-002";
        }

        @Override
        public String message() {
            return handle + " is on another node: " + witness + "; " + next;
        }
    }

    /**
     * A pool has a place of its own, and Kubernetes does not know this node under it.
     *
     * @param detail which label has which value, and what to do
     */
    record DiskElsewhere(String connection, String detail) implements Failure {
        @Override
        public String code() {
            return "FL-TOPO-003";
        }

        @Override
        public String message() {
            return "connection " + connection + ": " + detail;
        }
    }

    /**
     * A claim names another node for its volume.
     *
     * @param witness where it names which node
     * @param next what happens now
     */
    record ClaimElsewhere(String claim, String witness, String next) implements Failure {
        @Override
        public String code() {
            return "FL-TOPO-004";
        }

        @Override
        public String message() {
            return "the volume of claim " + claim + " belongs on another node: " + witness + "; " + next;
        }
    }

    /**
     * A volume of a node's own disks is wanted for a claim whose pod has no node yet.
     *
     * @param claim its namespace and name
     * @param storageClass the name of its class; empty if that is not known
     */
    record ClaimUnplaced(String claim, String storageClass) implements Failure {
        @Override
        public String code() {
            return "FL-TOPO-005";
        }

        @Override
        public String message() {
            return "a volume of a node's own disks is not made for claim " + claim
                    + " before its pod has a node: its StorageClass"
                    + (storageClass.isEmpty() ? "" : " " + storageClass)
                    + " has volumeBindingMode: Immediate; use one with WaitForFirstConsumer";
        }
    }

    /** The requested size is not possible. */
    record CapacityOutOfRange(String detail) implements Failure {
        @Override
        public String code() {
            return "FL-CAP-002";
        }

        @Override
        public String message() {
            return detail;
        }
    }

    // --- the request is wrong ----------------------------------------------------------------------------------

    /** A field of the request is missing or malformed. */
    record InvalidRequest(String field, String expected) implements Failure {
        @Override
        public String code() {
            return "FL-REQ-001";
        }

        @Override
        public String message() {
            return field + ": " + expected;
        }
    }

    /** The request is well formed and asks for what this connection does not do. */
    record Unsupported(String what, String remedy) implements Failure {
        @Override
        public String code() {
            return "FL-REQ-002";
        }

        @Override
        public String message() {
            return what + "; " + remedy;
        }
    }

    /** A snapshot that was taken with a group is deleted with the group, not alone. */
    record GroupMember(String snapshot, String group) implements Failure {
        @Override
        public String code() {
            return "FL-SNAP-005";
        }

        @Override
        public String message() {
            return "snapshot " + snapshot + " is one of the group snapshot " + group
                    + " and is not deleted alone; delete the group";
        }
    }

    // --- come back later ---------------------------------------------------------------------------------------

    /** Another call is at work on the same volume, snapshot or group. */
    record OperationPending(String key, String running, Duration since, String progress) implements Failure {
        @Override
        public String code() {
            return "FL-OP-001";
        }

        @Override
        public String message() {
            return running + " has been at work on " + key + " for " + since.toSeconds() + " s"
                    + (progress.isEmpty() ? "" : " (" + progress + ")") + "; it goes on, ask again";
        }
    }

    /** The {@code starting_token} of a list was not given by Fairlead. */
    record StalePageToken(String token) implements Failure {
        @Override
        public String code() {
            return "FL-OP-002";
        }

        @Override
        public String message() {
            return "starting_token '" + token + "' is not one that Fairlead gave; list again from the start";
        }
    }

    /** The caller went away, or its deadline passed, before the work was done. */
    record Cancelled(String what) implements Failure {
        @Override
        public String code() {
            return "FL-OP-003";
        }

        @Override
        public String message() {
            return what + " was cancelled between two steps; a repeated call goes on from there";
        }
    }

    /**
     * The work was not done in time. It may still go on, and a repeated call finds what it did.
     *
     * @param connection empty if it is not known which one the work waits for
     */
    record TimedOut(String connection, String what, Duration after) implements Failure {
        @Override
        public String code() {
            return "FL-OP-004";
        }

        @Override
        public String message() {
            return (connection.isEmpty()
                            ? what + " was not done"
                            : "connection " + connection + " did not finish " + what)
                    + " within " + after.toMillis() + " ms; the work may go on, ask again";
        }
    }

    // --- connections -------------------------------------------------------------------------------------------

    /** No connection of this name is loaded: it never was, or its file is gone. */
    record ConnectionUnknown(String connection, String detail) implements Failure {
        @Override
        public String code() {
            return "FL-CON-001";
        }

        @Override
        public String message() {
            return "connection " + connection + " is not loaded: " + detail;
        }
    }

    /** The connection's file has never been read without problems. */
    record ConnectionBroken(String connection, List<String> problems) implements Failure {
        public ConnectionBroken {
            problems = List.copyOf(problems);
        }

        @Override
        public String code() {
            return "FL-CON-002";
        }

        @Override
        public String message() {
            return "connection " + connection + " cannot be used, its file has problems: "
                    + String.join("; ", problems);
        }
    }

    /** The storage does not answer, or answers that it cannot now; trying again helps. */
    record BackendUnavailable(String connection, String detail) implements Failure {
        @Override
        public String code() {
            return "FL-CON-003";
        }

        @Override
        public String message() {
            return "connection " + connection + " is not available: " + detail;
        }
    }

    /** The storage refused; trying again does not help until somebody changes something there. */
    record BackendRejected(String connection, String detail) implements Failure {
        @Override
        public String code() {
            return "FL-CON-004";
        }

        @Override
        public String message() {
            return "connection " + connection + " refused: " + detail;
        }
    }

    /** The storage answered something that Fairlead does not understand, or claims an effect that is not there. */
    record Unintelligible(String connection, String detail) implements Failure {
        @Override
        public String code() {
            return "FL-CON-005";
        }

        @Override
        public String message() {
            return "connection " + connection + " gave an answer that cannot be trusted: " + detail;
        }
    }

    /** The storage is mounted read-only or forbids writing. */
    record StorageReadOnly(String connection, String detail) implements Failure {
        @Override
        public String code() {
            return "FL-CON-006";
        }

        @Override
        public String message() {
            return "connection " + connection + " cannot be written: " + detail;
        }
    }

    /**
     * The storage cannot do this as it is now, and nothing was begun; somebody has to change something there first.
     *
     * @param what what cannot be done, and why, in the storage's own words
     * @param remedy what an administrator does there
     */
    record StorageUnfit(String connection, String what, String remedy) implements Failure {
        @Override
        public String code() {
            return "FL-CON-012";
        }

        @Override
        public String message() {
            return "connection " + connection + " cannot do this as its storage is now: " + what + "; " + remedy;
        }
    }

    /** A pool of a node's disks lies in a volume, whose pod could change or delete what is made there. */
    record PoolInVolume(String connection, String detail) implements Failure {
        @Override
        public String code() {
            return "FL-CON-011";
        }

        @Override
        public String message() {
            return "connection " + connection + " makes nothing in a pool: " + detail;
        }
    }

    /**
     * Something was begun on the storage and its end was not seen: it may have been done, or not, or may still go on.
     *
     * @param what the operation that was begun
     */
    record OutcomeUnknown(String connection, String what, String detail) implements Failure {
        @Override
        public String code() {
            return "FL-CON-007";
        }

        @Override
        public String message() {
            return "connection " + connection + " was at " + what + ", and nobody knows whether it was done: " + detail
                    + "; ask again";
        }
    }

    /** The storage does not know the credential that the connection's file has. */
    record CredentialWrong(String connection, String detail) implements Failure {
        @Override
        public String code() {
            return "FL-CON-008";
        }

        @Override
        public String message() {
            return "connection " + connection + " is not let in, its credential is not accepted: " + detail;
        }
    }

    /** The storage knows the credential, and does not accept it any more. */
    record CredentialRevoked(String connection, String detail) implements Failure {
        @Override
        public String code() {
            return "FL-CON-009";
        }

        @Override
        public String message() {
            return "connection " + connection + " is not let in, its credential was revoked or has expired: " + detail;
        }
    }

    /**
     * The credential is accepted, and its user may not do this.
     *
     * @param what the operation that was refused
     * @param remedy the role that allows it
     */
    record RoleMissing(String connection, String what, String remedy) implements Failure {
        @Override
        public String code() {
            return "FL-CON-010";
        }

        @Override
        public String message() {
            return "connection " + connection + " lets its user in, who may not use " + what + "; " + remedy;
        }
    }

    // --- the cluster -------------------------------------------------------------------------------------------

    /** The orchestrator does not answer, or answers that it cannot now; trying again helps. */
    record ClusterUnavailable(String what, String detail) implements Failure {
        @Override
        public String code() {
            return "FL-KUBE-001";
        }

        @Override
        public String message() {
            return what + " failed, Kubernetes is not available: " + detail;
        }
    }

    /** The orchestrator refused; trying again does not help until somebody changes something there. */
    record ClusterRefused(String what, String detail) implements Failure {
        @Override
        public String code() {
            return "FL-KUBE-002";
        }

        @Override
        public String message() {
            return what + " was refused by Kubernetes: " + detail;
        }
    }

    /** The orchestrator's address gave an answer that no orchestrator gives. */
    record ClusterUnintelligible(String what, String detail) implements Failure {
        @Override
        public String code() {
            return "FL-KUBE-003";
        }

        @Override
        public String message() {
            return what + " got an answer that is not Kubernetes': " + detail;
        }
    }

    /** Another controller makes changes to the same PersistentVolumes, so this process makes none. */
    record OtherControllerAlive(String sign) implements Failure {
        @Override
        public String code() {
            return "FL-AFF-011";
        }

        @Override
        public String message() {
            return "LINSTOR's affinity controller lives: " + sign
                    + "; nothing is changed until it is stopped (docs/operate/affinity-linstor.md)";
        }
    }

    /** A file system cannot be mounted, since the kernel or the server refuses it. */
    record MountFailed(String source, String path, String detail) implements Failure {
        @Override
        public String code() {
            return "FL-NODE-006";
        }

        @Override
        public String message() {
            return "mounting " + source + " at " + path + " was refused: " + detail;
        }
    }

    /** A volume is mounted on this node, and its server does not answer or does not know the mount any more. */
    record StaleMount(String handle, String path, String detail, String remedy) implements Failure {
        @Override
        public String code() {
            return "FL-NODE-007";
        }

        @Override
        public String message() {
            return "volume " + handle + " is mounted at " + path + " and does not answer: " + detail + "; " + remedy;
        }
    }

    /**
     * A volume could not be staged for a reason that stays, and something of it is left on the node.
     *
     * @param reason why it could not be staged, with its code
     * @param left what is left, and why
     */
    record HalfStaged(String handle, String reason, String left) implements Failure {
        @Override
        public String code() {
            return "FL-NODE-011";
        }

        @Override
        public String message() {
            return "volume " + handle + " is not staged: " + reason + "; of it this node still has " + left
                    + "; ask again, it is taken away first";
        }
    }

    /** A file system could not be checked now, so nobody knows how it is. */
    record NotChecked(String device, String detail) implements Failure {
        @Override
        public String code() {
            return "FL-NODE-012";
        }

        @Override
        public String message() {
            return "the file system on " + device + " could not be checked, and is not mounted: " + detail
                    + "; ask again";
        }
    }

    /** A device is not formatted, since it may hold data. */
    record FormatRefused(String handle, String device, String found) implements Failure {
        @Override
        public String code() {
            return "FL-NODE-008";
        }

        @Override
        public String message() {
            return "volume " + handle + " is not formatted and not mounted: " + device + " holds " + found
                    + "; look at what is on it, and empty it on the storage if it may go";
        }
    }

    /** A device holds another file system than the one by which this node knows its volume. */
    record FilesystemConflict(String handle, String device, String found) implements Failure {
        @Override
        public String code() {
            return "FL-NODE-010";
        }

        @Override
        public String message() {
            return "volume " + handle + " is not mounted: " + device + " holds " + found
                    + "; another volume may have taken its place on the storage. If the new content is right, end the"
                    + " volume's pods on this node until it is unstaged, and this node forgets the former one";
        }
    }

    /**
     * Mounts that this process makes below kubelet's folder stay in its own mount namespace.
     *
     * @param mountPoint the mount that holds the folder, and passes nothing on
     */
    record NotPropagated(String folder, String mountPoint) implements Failure {
        @Override
        public String code() {
            return "FL-NODE-009";
        }

        @Override
        public String message() {
            return "what is mounted below " + folder
                    + " would not appear on the node, and pods would get empty folders:"
                    + " it lies in the mount at " + mountPoint + " of this process, which is not shared with the node;"
                    + " give kubelet's folder to the container with mountPropagation: Bidirectional";
        }
    }

    /**
     * The node's own disk takes nothing: it is full or read-only.
     *
     * @param what what was not done
     * @param folder the folder on that disk
     * @param remedy what lets the repeated call go on
     */
    record NodeDiskUnusable(String what, String folder, String detail, String remedy) implements Failure {
        @Override
        public String code() {
            return "FL-NODE-013";
        }

        @Override
        public String message() {
            return what + " failed, since this node's disk takes nothing in " + folder + ": " + detail + "; " + remedy;
        }
    }

    /**
     * A device is not formatted, since a part of the node's journal cannot be read that may tell who has written to it.
     *
     * @param place where that part is
     */
    record JournalUnreadable(String handle, String device, String place, String why) implements Failure {
        @Override
        public String code() {
            return "FL-NODE-014";
        }

        @Override
        public String message() {
            return "volume " + handle + " is not formatted and not mounted: " + place
                    + " of this node's journal cannot be read (" + why
                    + "), and may be of a volume that has written to "
                    + device + "; repair it, or remove it if it cannot be repaired; the call is repeated and goes on"
                    + " then";
        }
    }

    /** This process or node cannot do what is asked (a kernel call failed, a tool is missing). */
    record NodeFault(String what, String detail) implements Failure {
        @Override
        public String code() {
            return "FL-NODE-005";
        }

        @Override
        public String message() {
            return what + " failed on this node: " + detail;
        }
    }

    /**
     * Fairlead itself made an error that nobody foresaw, and has logged it.
     *
     * @param incident the id under which the log has the details; they are never sent
     */
    record Unexpected(String incident) implements Failure {
        @Override
        public String code() {
            return "FL-INT-001";
        }

        @Override
        public String message() {
            return "an unexpected error; the driver's log has it as incident " + incident;
        }
    }
}
