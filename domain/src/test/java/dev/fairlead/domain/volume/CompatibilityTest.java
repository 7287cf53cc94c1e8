package dev.fairlead.domain.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompatibilityTest {
    private static final CreateRequest ASKED = request(100, 0, Map.of("recordsize", "16K"), Content.EMPTY, "");

    @Test
    void the_same_request_finds_its_volume() {
        assertThat(difference(born(ASKED, 100), ASKED)).isEmpty();
    }

    @Test
    void a_larger_required_size_is_a_conflict() {
        assertThat(difference(born(ASKED, 100), request(101, 0, ASKED.parameters(), Content.EMPTY, "")))
                .get()
                .asString()
                .contains("100 bytes", "under the required 101 bytes");
    }

    @Test
    void a_smaller_required_size_is_none() {
        assertThat(difference(born(ASKED, 100), request(50, 0, ASKED.parameters(), Content.EMPTY, "")))
                .isEmpty();
    }

    @Test
    void an_expanded_volume_conflicts_only_over_the_limit() {
        StoredVolume expanded = born(ASKED, 500);

        assertThat(difference(expanded, ASKED)).isEmpty();
        assertThat(difference(expanded, request(100, 500, ASKED.parameters(), Content.EMPTY, "")))
                .isEmpty();
        assertThat(difference(expanded, request(100, 499, ASKED.parameters(), Content.EMPTY, "")))
                .get()
                .asString()
                .contains("500 bytes", "over the limit of 499 bytes");
    }

    @Property
    void a_volume_fits_exactly_the_range_that_holds_its_size(
            @ForAll @LongRange(min = 0) long size,
            @ForAll @LongRange(min = 0) long required,
            @ForAll @LongRange(min = 0) long more) {
        long limit = more > Long.MAX_VALUE - required ? Long.MAX_VALUE : required + more;
        CreateRequest asked = request(required, limit, Map.of(), Content.EMPTY, "");

        boolean fits = size >= required && (limit == 0 || size <= limit);
        assertThat(difference(born(asked, size), asked).isEmpty()).isEqualTo(fits);
    }

    @Test
    void a_volume_without_a_known_size_fits_every_size() {
        StoredVolume peers = stored(Optional.empty(), Optional.empty(), Content.EMPTY, Map.of());

        assertThat(difference(peers, request(1L << 60, 1L << 60, Map.of(), Content.EMPTY, "")))
                .isEmpty();
    }

    @Test
    void other_content_is_a_conflict_with_or_without_a_digest() {
        Content snapshot = new Content.OfSnapshot(new NativeId("a@s"));
        CreateRequest restored = request(100, 0, ASKED.parameters(), snapshot, "");

        assertThat(difference(born(ASKED, 100), restored)).get().asString().contains("empty", "from snapshot a@s");
        assertThat(difference(peers(Content.EMPTY), restored)).isPresent();
        assertThat(difference(peers(snapshot), restored)).isEmpty();
        assertThat(difference(peers(new Content.OfVolume(new NativeId("a@s"))), restored))
                .isPresent();
    }

    @Test
    void content_of_another_connection_is_another_content_than_that_of_the_same_id() {
        Content here = new Content.OfSnapshot(new NativeId("a@s"));
        Content there = new Content.Transferred(Content.Kind.SNAPSHOT, "s:east/a@s");
        CreateRequest asked = request(100, 0, ASKED.parameters(), there, "");

        assertThat(difference(born(asked, 100), asked)).isEmpty();
        assertThat(difference(peers(here), asked))
                .get()
                .asString()
                .contains("from snapshot a@s", "from snapshot s:east/a@s of another connection");
        assertThat(difference(peers(new Content.Transferred(Content.Kind.VOLUME, "s:east/a@s")), asked))
                .isPresent();
        assertThat(ShapeDigest.of(asked)).isNotEqualTo(ShapeDigest.of(request(100, 0, ASKED.parameters(), here, "")));
    }

    @Test
    void another_medium_is_a_conflict() {
        assertThat(Compatibility.difference(born(ASKED, 100), ASKED, VolumeMedium.Kind.BLOCK_DEVICE))
                .get()
                .asString()
                .contains("is a file system", "asked for is a block device");
    }

    @Test
    void another_name_with_the_same_id_is_a_conflict() {
        CreateRequest other = new CreateRequest(
                new CsiName("other"), ASKED.capacity(), ASKED.capabilities(), Map.of(), Content.EMPTY);

        assertThat(difference(born(ASKED, 100), other)).get().asString().contains("'name'", "'other'", "idHash");
    }

    @Test
    void other_parameters_or_file_systems_are_a_conflict_where_a_digest_was_noted() {
        CreateRequest otherLayout = request(100, 0, Map.of("recordsize", "128K"), Content.EMPTY, "");
        CreateRequest otherFs = request(100, 0, ASKED.parameters(), Content.EMPTY, "xfs");

        assertThat(difference(born(ASKED, 100), otherLayout)).isPresent();
        assertThat(difference(born(ASKED, 100), otherFs)).isPresent();
        assertThat(difference(peers(Content.EMPTY), otherLayout)).isEmpty();
    }

    @Test
    void a_digest_of_another_version_says_nothing() {
        StoredVolume older =
                stored(Optional.of(ASKED.name()), Optional.empty(), Content.EMPTY, Map.of(Notes.DIGEST, "0:abc"));

        assertThat(difference(older, ASKED)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "connection",
                "connections",
                "connectionSelector",
                "csi.storage.k8s.io/pvc/name",
                "csi.storage.k8s.io/fstype"
            })
    void what_names_the_claim_or_the_connection_does_not_shape(String key) {
        Map<String, String> parameters = new HashMap<>(ASKED.parameters());
        parameters.put(key, "x");

        assertThat(ShapeDigest.of(request(100, 0, parameters, Content.EMPTY, "")))
                .isEqualTo(ShapeDigest.of(ASKED));
    }

    @Test
    void neither_size_nor_mode_nor_order_nor_repetition_shapes() {
        var writer = capability("", AccessMode.SINGLE_NODE_WRITER);
        var reader = capability("", AccessMode.MULTI_NODE_READER_ONLY);
        var ordered = new CreateRequest(
                new CsiName("a"),
                CapacityRange.of(1, 0),
                List.of(writer, reader),
                Map.of("a", "1", "b", "2"),
                Content.EMPTY);
        var reversed = new CreateRequest(
                new CsiName("b"), CapacityRange.of(2, 9), List.of(reader), Map.of("b", "2", "a", "1"), Content.EMPTY);

        assertThat(ShapeDigest.of(ordered)).isEqualTo(ShapeDigest.of(reversed));
        assertThat(ShapeDigest.of(ordered).value()).matches("1:[0-9a-f]{64}");
    }

    @Property(tries = 100)
    void parameters_that_run_together_do_not_pass_for_each_other(
            @ForAll Map<String, String> one, @ForAll Map<String, String> other) {
        boolean same = relevant(one).equals(relevant(other));

        ShapeDigest first = ShapeDigest.of(request(1, 0, one, Content.EMPTY, ""));
        ShapeDigest second = ShapeDigest.of(request(1, 0, other, Content.EMPTY, ""));

        assertThat(first.equals(second)).isEqualTo(same);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1\nparameter 1 b\nvalue 1 2",
                "1\nparameter b\nvalue 2",
                "1\nparameter  b\nvalue  2",
                "1\nparameterb\nvalue2"
            })
    void a_value_cannot_forge_a_second_entry(String value) {
        Map<String, String> two = Map.of("a", "1", "b", "2");
        Map<String, String> forged = Map.of("a", value);

        assertThat(ShapeDigest.of(request(1, 0, two, Content.EMPTY, "")))
                .isNotEqualTo(ShapeDigest.of(request(1, 0, forged, Content.EMPTY, "")));
    }

    private static Map<String, String> relevant(Map<String, String> parameters) {
        Map<String, String> kept = new HashMap<>(parameters);
        kept.keySet().removeIf(key -> key.startsWith("csi.storage.k8s.io/"));
        return kept;
    }

    private static Optional<String> difference(StoredVolume existing, CreateRequest asked) {
        return Compatibility.difference(existing, asked, VolumeMedium.Kind.FILESYSTEM);
    }

    private static CreateRequest request(
            long required, long limit, Map<String, String> parameters, Content content, String fsType) {
        return new CreateRequest(
                new CsiName("name"),
                CapacityRange.of(required, limit),
                List.of(capability(fsType, AccessMode.SINGLE_NODE_WRITER)),
                parameters,
                content);
    }

    private static VolumeCapability capability(String fsType, AccessMode mode) {
        return new VolumeCapability(new VolumeCapability.Mount(fsType, List.of()), mode);
    }

    private static StoredVolume born(CreateRequest request, long size) {
        return stored(
                Optional.of(request.name()),
                Optional.of(Capacity.ofBytes(size)),
                request.content(),
                Map.of(Notes.DIGEST, ShapeDigest.of(request).value()));
    }

    private static StoredVolume peers(Content content) {
        return stored(Optional.empty(), Optional.of(Capacity.ofBytes(100)), content, Map.of());
    }

    private static StoredVolume stored(
            Optional<CsiName> name, Optional<Capacity> capacity, Content content, Map<String, String> notes) {
        return new StoredVolume(
                new NativeId("name"), name, capacity, new VolumeMedium.Filesystem("/b/v/name"), content, notes);
    }
}
