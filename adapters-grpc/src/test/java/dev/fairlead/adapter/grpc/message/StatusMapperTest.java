package dev.fairlead.adapter.grpc.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.FinalCodes;
import io.grpc.Status;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StatusMapperTest {
    private static final Map<Class<? extends Failure>, Status.Code> TABLE = Map.ofEntries(
            Map.entry(Failure.VolumeNotFound.class, Status.Code.NOT_FOUND),
            Map.entry(Failure.SnapshotNotFound.class, Status.Code.NOT_FOUND),
            Map.entry(Failure.NotMounted.class, Status.Code.NOT_FOUND),
            Map.entry(Failure.GroupNotFound.class, Status.Code.NOT_FOUND),
            Map.entry(Failure.GroupConflict.class, Status.Code.ALREADY_EXISTS),
            Map.entry(Failure.GroupMember.class, Status.Code.INVALID_ARGUMENT),
            Map.entry(Failure.VolumeConflict.class, Status.Code.ALREADY_EXISTS),
            Map.entry(Failure.SnapshotConflict.class, Status.Code.ALREADY_EXISTS),
            Map.entry(Failure.MountConflict.class, Status.Code.ALREADY_EXISTS),
            Map.entry(Failure.InUse.class, Status.Code.FAILED_PRECONDITION),
            Map.entry(Failure.NotOurs.class, Status.Code.FAILED_PRECONDITION),
            Map.entry(Failure.MountedElsewhere.class, Status.Code.FAILED_PRECONDITION),
            Map.entry(Failure.NotStaged.class, Status.Code.FAILED_PRECONDITION),
            Map.entry(Failure.NodeNotFound.class, Status.Code.NOT_FOUND),
            Map.entry(Failure.NodeUnfit.class, Status.Code.FAILED_PRECONDITION),
            Map.entry(Failure.PublishedToOtherNode.class, Status.Code.FAILED_PRECONDITION),
            Map.entry(Failure.PublishConflict.class, Status.Code.ALREADY_EXISTS),
            Map.entry(Failure.OutOfSpace.class, Status.Code.RESOURCE_EXHAUSTED),
            Map.entry(Failure.Unreachable.class, Status.Code.RESOURCE_EXHAUSTED),
            Map.entry(Failure.ClaimUnplaced.class, Status.Code.INVALID_ARGUMENT),
            Map.entry(Failure.ClaimElsewhere.class, Status.Code.RESOURCE_EXHAUSTED),
            Map.entry(Failure.SourceElsewhere.class, Status.Code.RESOURCE_EXHAUSTED),
            Map.entry(Failure.CapacityOutOfRange.class, Status.Code.OUT_OF_RANGE),
            Map.entry(Failure.InvalidRequest.class, Status.Code.INVALID_ARGUMENT),
            Map.entry(Failure.Unsupported.class, Status.Code.INVALID_ARGUMENT),
            Map.entry(Failure.OperationPending.class, Status.Code.ABORTED),
            Map.entry(Failure.StalePageToken.class, Status.Code.ABORTED),
            Map.entry(Failure.Cancelled.class, Status.Code.CANCELLED),
            Map.entry(Failure.TimedOut.class, Status.Code.DEADLINE_EXCEEDED),
            Map.entry(Failure.ConnectionUnknown.class, Status.Code.UNAVAILABLE),
            Map.entry(Failure.ConnectionBroken.class, Status.Code.UNAVAILABLE),
            Map.entry(Failure.BackendUnavailable.class, Status.Code.UNAVAILABLE),
            Map.entry(Failure.StorageUnfit.class, Status.Code.FAILED_PRECONDITION),
            Map.entry(Failure.StorageReadOnly.class, Status.Code.UNAVAILABLE),
            Map.entry(Failure.PoolInVolume.class, Status.Code.UNAVAILABLE),
            Map.entry(Failure.CredentialWrong.class, Status.Code.UNAVAILABLE),
            Map.entry(Failure.CredentialRevoked.class, Status.Code.UNAVAILABLE),
            Map.entry(Failure.RoleMissing.class, Status.Code.UNAVAILABLE),
            Map.entry(Failure.DiskElsewhere.class, Status.Code.UNAVAILABLE),
            Map.entry(Failure.OutcomeUnknown.class, Status.Code.UNAVAILABLE),
            Map.entry(Failure.BackendRejected.class, Status.Code.INTERNAL),
            Map.entry(Failure.Unintelligible.class, Status.Code.INTERNAL),
            Map.entry(Failure.ClusterUnavailable.class, Status.Code.UNAVAILABLE),
            Map.entry(Failure.ClusterRefused.class, Status.Code.INTERNAL),
            Map.entry(Failure.ClusterUnintelligible.class, Status.Code.INTERNAL),
            Map.entry(Failure.NodeFault.class, Status.Code.INTERNAL),
            Map.entry(Failure.MountFailed.class, Status.Code.INTERNAL),
            Map.entry(Failure.StaleMount.class, Status.Code.UNAVAILABLE),
            Map.entry(Failure.HalfStaged.class, Status.Code.UNAVAILABLE),
            Map.entry(Failure.NotChecked.class, Status.Code.UNAVAILABLE),
            Map.entry(Failure.NodeDiskUnusable.class, Status.Code.UNAVAILABLE),
            Map.entry(Failure.JournalUnreadable.class, Status.Code.UNAVAILABLE),
            Map.entry(Failure.OtherControllerAlive.class, Status.Code.UNAVAILABLE),
            Map.entry(Failure.FormatRefused.class, Status.Code.FAILED_PRECONDITION),
            Map.entry(Failure.FilesystemConflict.class, Status.Code.FAILED_PRECONDITION),
            Map.entry(Failure.NotPropagated.class, Status.Code.FAILED_PRECONDITION),
            Map.entry(Failure.Unexpected.class, Status.Code.INTERNAL));

    static Stream<Failure> failures() {
        return Arrays.stream(Failure.class.getPermittedSubclasses()).map(StatusMapperTest::sample);
    }

    private static Failure sample(Class<?> kind) {
        var types = Arrays.stream(kind.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        var samples = Map.<Class<?>, Object>of(
                String.class, "some text", Duration.class, Duration.ofSeconds(3), List.class, List.of("a problem"));
        try {
            return (Failure) kind.getDeclaredConstructor(types)
                    .newInstance(Arrays.stream(types).map(samples::get).toArray());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("cannot make a sample of " + kind.getSimpleName(), e);
        }
    }

    /** The provisioner's {@code isFinalError}: a provisioning in one of these codes may be under way. */
    @ParameterizedTest
    @MethodSource("failures")
    void a_failure_is_the_last_word_where_its_status_is_the_sidecars(Failure failure) {
        var again = Set.of(
                Status.Code.CANCELLED, Status.Code.DEADLINE_EXCEEDED, Status.Code.UNAVAILABLE, Status.Code.ABORTED);

        assertThat(FinalCodes.isFinal(failure)).isEqualTo(!again.contains(TABLE.get(failure.getClass())));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void every_failure_has_its_status_and_says_its_code_and_message(Failure failure) {
        Status status = StatusMapper.statusOf(failure);

        assertThat(status.getCode()).isEqualTo(TABLE.get(failure.getClass()));
        assertThat(status.getDescription()).isEqualTo(failure.code() + " " + failure.message());
    }

    @Test
    void a_long_message_is_cut_to_what_trailers_hold() {
        Status status = StatusMapper.statusOf(new Failure.Unreachable("ä€😀%".repeat(3000)));

        String message = String.valueOf(status.getDescription());
        assertThat(message).startsWith("FL-TOPO-001 ä€😀%").endsWith(" [...]");
        assertThat(message.getBytes(StandardCharsets.UTF_8).length * 3).isLessThan(8192);
    }
}
