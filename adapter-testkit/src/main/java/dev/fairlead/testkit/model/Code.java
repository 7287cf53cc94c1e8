package dev.fairlead.testkit.model;

import dev.fairlead.domain.failure.Failure;

/** Tells how a call ended; the names are those of gRPC. */
public enum Code {
    OK,
    CANCELLED,
    INVALID_ARGUMENT,
    DEADLINE_EXCEEDED,
    NOT_FOUND,
    ALREADY_EXISTS,
    RESOURCE_EXHAUSTED,
    FAILED_PRECONDITION,
    ABORTED,
    OUT_OF_RANGE,
    INTERNAL,
    UNAVAILABLE;

    /** Returns the code by which a CSI caller is told of a failure. */
    public static Code of(Failure failure) {
        return switch (failure) {
            case Failure.VolumeNotFound _,
                    Failure.SnapshotNotFound _,
                    Failure.GroupNotFound _,
                    Failure.NotMounted _,
                    Failure.NodeNotFound _ -> NOT_FOUND;
            case Failure.VolumeConflict _,
                    Failure.SnapshotConflict _,
                    Failure.GroupConflict _,
                    Failure.MountConflict _,
                    Failure.PublishConflict _ -> ALREADY_EXISTS;
            case Failure.InUse _,
                    Failure.NotOurs _,
                    Failure.MountedElsewhere _,
                    Failure.NotStaged _,
                    Failure.NodeUnfit _,
                    Failure.PublishedToOtherNode _,
                    Failure.NotPropagated _,
                    Failure.StorageUnfit _,
                    Failure.FilesystemConflict _,
                    Failure.FormatRefused _ -> FAILED_PRECONDITION;
            case Failure.OutOfSpace _, Failure.Unreachable _, Failure.SourceElsewhere _, Failure.ClaimElsewhere _ ->
                RESOURCE_EXHAUSTED;
            case Failure.CapacityOutOfRange _ -> OUT_OF_RANGE;
            case Failure.InvalidRequest _, Failure.Unsupported _, Failure.GroupMember _, Failure.ClaimUnplaced _ ->
                INVALID_ARGUMENT;
            case Failure.OperationPending _, Failure.StalePageToken _ -> ABORTED;
            case Failure.Cancelled _ -> CANCELLED;
            case Failure.TimedOut _ -> DEADLINE_EXCEEDED;
            case Failure.ConnectionUnknown _,
                    Failure.ConnectionBroken _,
                    Failure.BackendUnavailable _,
                    Failure.StorageReadOnly _,
                    Failure.PoolInVolume _,
                    Failure.OutcomeUnknown _,
                    Failure.CredentialWrong _,
                    Failure.CredentialRevoked _,
                    Failure.RoleMissing _,
                    Failure.StaleMount _,
                    Failure.HalfStaged _,
                    Failure.NotChecked _,
                    Failure.NodeDiskUnusable _,
                    Failure.JournalUnreadable _,
                    Failure.OtherControllerAlive _,
                    Failure.DiskElsewhere _,
                    Failure.ClusterUnavailable _ -> UNAVAILABLE;
            case Failure.BackendRejected _,
                    Failure.Unintelligible _,
                    Failure.ClusterRefused _,
                    Failure.ClusterUnintelligible _,
                    Failure.NodeFault _,
                    Failure.MountFailed _,
                    Failure.Unexpected _ -> INTERNAL;
        };
    }
}
