package dev.fairlead.adapter.grpc.message;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.Failure.BackendRejected;
import dev.fairlead.domain.failure.Failure.BackendUnavailable;
import dev.fairlead.domain.failure.Failure.Cancelled;
import dev.fairlead.domain.failure.Failure.CapacityOutOfRange;
import dev.fairlead.domain.failure.Failure.ClaimElsewhere;
import dev.fairlead.domain.failure.Failure.ClaimUnplaced;
import dev.fairlead.domain.failure.Failure.ClusterRefused;
import dev.fairlead.domain.failure.Failure.ClusterUnavailable;
import dev.fairlead.domain.failure.Failure.ClusterUnintelligible;
import dev.fairlead.domain.failure.Failure.ConnectionBroken;
import dev.fairlead.domain.failure.Failure.ConnectionUnknown;
import dev.fairlead.domain.failure.Failure.CredentialRevoked;
import dev.fairlead.domain.failure.Failure.CredentialWrong;
import dev.fairlead.domain.failure.Failure.DiskElsewhere;
import dev.fairlead.domain.failure.Failure.FilesystemConflict;
import dev.fairlead.domain.failure.Failure.FormatRefused;
import dev.fairlead.domain.failure.Failure.GroupConflict;
import dev.fairlead.domain.failure.Failure.GroupMember;
import dev.fairlead.domain.failure.Failure.GroupNotFound;
import dev.fairlead.domain.failure.Failure.HalfStaged;
import dev.fairlead.domain.failure.Failure.InUse;
import dev.fairlead.domain.failure.Failure.InvalidRequest;
import dev.fairlead.domain.failure.Failure.JournalUnreadable;
import dev.fairlead.domain.failure.Failure.MountConflict;
import dev.fairlead.domain.failure.Failure.MountFailed;
import dev.fairlead.domain.failure.Failure.MountedElsewhere;
import dev.fairlead.domain.failure.Failure.NodeDiskUnusable;
import dev.fairlead.domain.failure.Failure.NodeFault;
import dev.fairlead.domain.failure.Failure.NodeNotFound;
import dev.fairlead.domain.failure.Failure.NodeUnfit;
import dev.fairlead.domain.failure.Failure.NotChecked;
import dev.fairlead.domain.failure.Failure.NotMounted;
import dev.fairlead.domain.failure.Failure.NotOurs;
import dev.fairlead.domain.failure.Failure.NotPropagated;
import dev.fairlead.domain.failure.Failure.NotStaged;
import dev.fairlead.domain.failure.Failure.OperationPending;
import dev.fairlead.domain.failure.Failure.OtherControllerAlive;
import dev.fairlead.domain.failure.Failure.OutOfSpace;
import dev.fairlead.domain.failure.Failure.OutcomeUnknown;
import dev.fairlead.domain.failure.Failure.PoolInVolume;
import dev.fairlead.domain.failure.Failure.PublishConflict;
import dev.fairlead.domain.failure.Failure.PublishedToOtherNode;
import dev.fairlead.domain.failure.Failure.RoleMissing;
import dev.fairlead.domain.failure.Failure.SnapshotConflict;
import dev.fairlead.domain.failure.Failure.SnapshotNotFound;
import dev.fairlead.domain.failure.Failure.SourceElsewhere;
import dev.fairlead.domain.failure.Failure.StaleMount;
import dev.fairlead.domain.failure.Failure.StalePageToken;
import dev.fairlead.domain.failure.Failure.StorageReadOnly;
import dev.fairlead.domain.failure.Failure.StorageUnfit;
import dev.fairlead.domain.failure.Failure.TimedOut;
import dev.fairlead.domain.failure.Failure.Unexpected;
import dev.fairlead.domain.failure.Failure.Unintelligible;
import dev.fairlead.domain.failure.Failure.Unreachable;
import dev.fairlead.domain.failure.Failure.Unsupported;
import dev.fairlead.domain.failure.Failure.VolumeConflict;
import dev.fairlead.domain.failure.Failure.VolumeNotFound;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;

/**
 * Turns a failure into the status that CSI gives it; nothing else does.
 *
 * <p>Callers take every code but CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE and ABORTED as "nothing exists, give up": so
 * a failure that may pass by itself or by an operator's help (a connection that is not loaded, a storage that is
 * read-only) is UNAVAILABLE.
 */
public final class StatusMapper {
    /** A message travels in the trailers, which clients limit to 8 KiB, in percent-encoding. */
    private static final int LONGEST_MESSAGE = 4096;

    private StatusMapper() {}

    public static Status statusOf(Failure failure) {
        Status.Code code = switch (failure) {
            case VolumeNotFound _, SnapshotNotFound _, GroupNotFound _, NotMounted _, NodeNotFound _ ->
                Status.Code.NOT_FOUND;
            case VolumeConflict _, SnapshotConflict _, GroupConflict _, MountConflict _, PublishConflict _ ->
                Status.Code.ALREADY_EXISTS;
            case InUse _,
                    NotOurs _,
                    MountedElsewhere _,
                    NotStaged _,
                    NodeUnfit _,
                    PublishedToOtherNode _,
                    NotPropagated _,
                    StorageUnfit _,
                    FilesystemConflict _,
                    FormatRefused _ -> Status.Code.FAILED_PRECONDITION;
            case OutOfSpace _, Unreachable _, SourceElsewhere _, ClaimElsewhere _ -> Status.Code.RESOURCE_EXHAUSTED;
            case CapacityOutOfRange _ -> Status.Code.OUT_OF_RANGE;
            case InvalidRequest _, Unsupported _, GroupMember _, ClaimUnplaced _ -> Status.Code.INVALID_ARGUMENT;
            case OperationPending _, StalePageToken _ -> Status.Code.ABORTED;
            case Cancelled _ -> Status.Code.CANCELLED;
            case TimedOut _ -> Status.Code.DEADLINE_EXCEEDED;
            case ConnectionUnknown _,
                    ConnectionBroken _,
                    BackendUnavailable _,
                    StorageReadOnly _,
                    PoolInVolume _,
                    OutcomeUnknown _,
                    CredentialWrong _,
                    CredentialRevoked _,
                    RoleMissing _,
                    StaleMount _,
                    HalfStaged _,
                    NotChecked _,
                    NodeDiskUnusable _,
                    JournalUnreadable _,
                    OtherControllerAlive _,
                    DiskElsewhere _,
                    ClusterUnavailable _ -> Status.Code.UNAVAILABLE;
            case BackendRejected _,
                    Unintelligible _,
                    ClusterRefused _,
                    ClusterUnintelligible _,
                    NodeFault _,
                    MountFailed _,
                    Unexpected _ -> Status.Code.INTERNAL;
        };
        return status(code, failure.code() + " " + failure.message());
    }

    /** Returns the status that gRPC's health protocol asks for if a service is not served. */
    public static Status unknownService(String service) {
        return status(Status.Code.NOT_FOUND, "service '" + service + "' is not served here");
    }

    private static Status status(Status.Code code, String message) {
        return code.toStatus().withDescription(shortened(message));
    }

    private static String shortened(String message) {
        int cost = 0;
        for (int i = 0; i < message.length(); ) {
            int c = message.codePointAt(i);
            boolean plain = c >= 0x20 && c <= 0x7E && c != '%';
            cost += plain ? 1 : 3 * Character.toString(c).getBytes(StandardCharsets.UTF_8).length;
            if (cost > LONGEST_MESSAGE) {
                return message.substring(0, i) + " [...]";
            }
            i += Character.charCount(c);
        }
        return message;
    }
}
