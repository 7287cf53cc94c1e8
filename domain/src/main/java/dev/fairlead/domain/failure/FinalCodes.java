package dev.fairlead.domain.failure;

/**
 * Says after which failures a caller does not repeat the call.
 *
 * <p>After CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE and ABORTED, callers repeat the same call. After any other code
 * the caller may forget the volume without ever deleting it, so such a code must mean that nothing exists.
 */
public final class FinalCodes {
    private FinalCodes() {}

    /** Says whether a caller does not repeat the call after this failure. */
    public static boolean isFinal(Failure failure) {
        return switch (failure) {
            case Failure.Cancelled _,
                    Failure.TimedOut _,
                    Failure.BackendUnavailable _,
                    Failure.ConnectionUnknown _,
                    Failure.ConnectionBroken _,
                    Failure.OperationPending _,
                    Failure.StalePageToken _,
                    Failure.ClusterUnavailable _,
                    Failure.OtherControllerAlive _,
                    Failure.StorageReadOnly _,
                    Failure.PoolInVolume _,
                    Failure.StaleMount _,
                    Failure.HalfStaged _,
                    Failure.NotChecked _,
                    Failure.NodeDiskUnusable _,
                    Failure.JournalUnreadable _,
                    Failure.OutcomeUnknown _,
                    Failure.CredentialWrong _,
                    Failure.CredentialRevoked _,
                    Failure.DiskElsewhere _,
                    Failure.RoleMissing _ -> false;
            case Failure.VolumeNotFound _,
                    Failure.SnapshotNotFound _,
                    Failure.GroupNotFound _,
                    Failure.NotMounted _,
                    Failure.VolumeConflict _,
                    Failure.SnapshotConflict _,
                    Failure.GroupConflict _,
                    Failure.GroupMember _,
                    Failure.MountConflict _,
                    Failure.InUse _,
                    Failure.NotOurs _,
                    Failure.MountedElsewhere _,
                    Failure.NotStaged _,
                    Failure.NodeNotFound _,
                    Failure.NodeUnfit _,
                    Failure.PublishedToOtherNode _,
                    Failure.PublishConflict _,
                    Failure.OutOfSpace _,
                    Failure.Unreachable _,
                    Failure.SourceElsewhere _,
                    Failure.ClaimElsewhere _,
                    Failure.ClaimUnplaced _,
                    Failure.CapacityOutOfRange _,
                    Failure.InvalidRequest _,
                    Failure.Unsupported _,
                    Failure.BackendRejected _,
                    Failure.StorageUnfit _,
                    Failure.Unintelligible _,
                    Failure.ClusterRefused _,
                    Failure.ClusterUnintelligible _,
                    Failure.NodeFault _,
                    Failure.MountFailed _,
                    Failure.FormatRefused _,
                    Failure.FilesystemConflict _,
                    Failure.NotPropagated _,
                    Failure.Unexpected _ -> true;
        };
    }
}
