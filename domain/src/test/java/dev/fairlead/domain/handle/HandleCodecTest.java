package dev.fairlead.domain.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HandleCodecTest {
    private static final HandleCodec PROXIED = new HandleCodec.Proxied();
    private static final HandleCodec BARE = new HandleCodec.Bare();

    @ParameterizedTest
    @CsvSource({
        "z1, pvc-6, v:z1/pvc-6",
        "z1, pvc-6@sn, v:z1/pvc-6@sn",
        "z1, pvc-6/sn, v:z1/pvc-6/sn",
        "c1, snapshot_driver=filecopy&snapshot_id=pvc-1-sn, v:c1/snapshot_driver=filecopy&snapshot_id=pvc-1-sn"
    })
    void handles_of_a_proxy_are_the_peers_byte_for_byte(String connection, String id, String handle) {
        var volume = new VolumeHandle(new ConnectionName(connection), new NativeId(id));
        var snapshot = new SnapshotHandle(new ConnectionName(connection), new NativeId(id));

        assertThat(PROXIED.encode(volume)).isEqualTo(handle).isEqualTo(volume.toString());
        assertThat(PROXIED.encode(snapshot))
                .isEqualTo("s" + handle.substring(1))
                .isEqualTo(snapshot.toString());
        assertThat(PROXIED.volume(handle)).contains(volume);
        assertThat(PROXIED.snapshot("s" + handle.substring(1))).contains(snapshot);
        var group = new GroupHandle(new ConnectionName(connection), new NativeId(id));
        assertThat(PROXIED.encode(group)).isEqualTo("g" + handle.substring(1)).isEqualTo(group.toString());
        assertThat(PROXIED.group("g" + handle.substring(1))).contains(group);
        assertThat(PROXIED.group(handle)).isEmpty();
    }

    @Test
    void a_driver_alone_writes_the_bare_id() {
        var volume = new VolumeHandle(ConnectionName.SINGLE, new NativeId("pvc-6"));

        assertThat(BARE.encode(volume)).isEqualTo("pvc-6");
        assertThat(BARE.volume("pvc-6")).contains(volume);
        assertThat(BARE.group("group-1")).contains(new GroupHandle(ConnectionName.SINGLE, new NativeId("group-1")));
        assertThat(BARE.group("no group")).isEmpty();
        assertThat(BARE.encode(new GroupHandle(ConnectionName.SINGLE, new NativeId("group-1"))))
                .isEqualTo("group-1");
        assertThat(BARE.snapshot("pvc-6@sn"))
                .contains(new SnapshotHandle(ConnectionName.SINGLE, new NativeId("pvc-6@sn")));
    }

    @Property
    void what_is_encoded_is_decoded(@ForAll("volumes") VolumeHandle volume) {
        String handle = PROXIED.encode(volume);

        assertThat(PROXIED.volume(handle)).contains(volume);
        assertThat(PROXIED.snapshot(handle)).isEmpty();
        assertThat(handle)
                .hasSize(PROXIED.overhead(volume.connection())
                        + volume.id().value().length());

        var alone = new VolumeHandle(ConnectionName.SINGLE, volume.id());
        assertThat(BARE.volume(BARE.encode(alone))).contains(alone);
        assertThat(BARE.encode(alone))
                .hasSize(BARE.overhead(ConnectionName.SINGLE)
                        + volume.id().value().length());
    }

    @Property
    void what_is_decoded_is_encoded_to_the_same(@ForAll("nearlyHandles") String text) {
        unlessUnknown(() -> PROXIED.volume(text))
                .ifPresent(volume -> assertThat(PROXIED.encode(volume)).isEqualTo(text));
        unlessUnknown(() -> PROXIED.snapshot(text))
                .ifPresent(snapshot -> assertThat(PROXIED.encode(snapshot)).isEqualTo(text));
        BARE.volume(text).ifPresent(volume -> assertThat(BARE.encode(volume)).isEqualTo(text));
    }

    @ParameterizedTest
    @MethodSource
    void hostile_handles_are_nobodys(String handle) {
        assertThat(PROXIED.volume(handle)).isEmpty();
        assertThat(PROXIED.snapshot(handle)).isEmpty();
    }

    static List<String> hostile_handles_are_nobodys() {
        return List.of(
                "",
                "v",
                "v:",
                "v:/",
                "v:/x",
                "v:a",
                "v:a/",
                "x:a/b",
                "V:a/b",
                "va/b",
                "v:a/..",
                "v:a/.",
                "v:a/b/..",
                "v:a/x; rm -rf /",
                "v:a/$(id)",
                "v:a/`id`",
                "v:a/b\0",
                "v:a/b\n",
                "v:a/b c",
                "v:a\0/b",
                "v:a b",
                "v:a b/c d",
                "v:.a/",
                "v:a/ä",
                "v:a/b\\c",
                "v:a/*",
                "v:a/b?",
                "v:a/'",
                "v:a/\"",
                "v:a/|x",
                "v:a/<x",
                "v:a/!x",
                "v:a/#",
                "v:a/{x}",
                "v:a/" + "x".repeat(513));
    }

    /** democratic-csi makes a path of any name that a StorageClass gives. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                ".nas",
                "my nas",
                "nän",
                "a\nb",
                "a\tb",
                "..",
                "../px",
                "../../etc",
                "sub/my nas",
                "/nas",
                "a/..",
                "a:b",
                "LONG"
            })
    void a_handle_of_a_connection_that_can_have_no_file_here_may_be_somebodys(String name) {
        String connection = name.equals("LONG") ? "a".repeat(251) : name;

        assertThatThrownBy(() -> PROXIED.volume("v:" + connection + "/pvc-1"))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.ConnectionUnknown.class))
                .message()
                .doesNotContain("\n", "\t")
                .hasSizeLessThan(400);
        assertThatThrownBy(() -> PROXIED.snapshot("s:" + connection + "/pvc-1@sn"))
                .isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> PROXIED.group("g:" + connection + "/group-1")).isInstanceOf(StorageException.class);
        assertThat(PROXIED.volume("x:" + connection + "/pvc-1")).isEmpty();
    }

    @Test
    void handles_of_the_longest_name_are_read() {
        var longest = new VolumeHandle(new ConnectionName("a".repeat(250)), new NativeId("pvc-1"));

        assertThat(PROXIED.volume(PROXIED.encode(longest))).contains(longest);
    }

    /** Thousands of texts, and none of them names a way out of a folder. */
    @Property(tries = 5000)
    void whatever_comes_no_handle_leads_out_of_a_folder(@ForAll("hostile") String text) {
        Stream.of(
                        unlessUnknown(() -> PROXIED.volume(text)).map(v -> v.connection() + "/" + v.id()),
                        unlessUnknown(() -> PROXIED.snapshot(text)).map(s -> s.connection() + "/" + s.id()),
                        BARE.volume(text).map(v -> v.id().value()),
                        BARE.snapshot(text).map(s -> s.id().value()))
                .flatMap(found -> found.stream())
                .forEach(found -> {
                    assertThat(found.split("/", -1)).doesNotContain("..", ".");
                    assertThat(found).matches("[A-Za-z0-9_.:+@/=&%~,-]+");
                });
    }

    private static <T> Optional<T> unlessUnknown(Supplier<Optional<T>> parsing) {
        try {
            return parsing.get();
        } catch (StorageException e) {
            assertThat(e.failure()).isInstanceOf(Failure.ConnectionUnknown.class);
            return Optional.empty();
        }
    }

    @Provide
    Arbitrary<VolumeHandle> volumes() {
        Arbitrary<String> ids = Arbitraries.strings()
                .alpha()
                .numeric()
                .withChars("_-.:+@/=&%~,".toCharArray())
                .ofMinLength(1)
                .ofMaxLength(200)
                .filter(NativeId::isValid);
        Arbitrary<String> first =
                Arbitraries.strings().alpha().numeric().withChars('_', '-').ofLength(1);
        Arbitrary<String> rest =
                Arbitraries.strings().alpha().numeric().withChars('.', '_', '-').ofMaxLength(249);
        return Combinators.combine(first, rest, ids)
                .as((a, b, id) -> new VolumeHandle(new ConnectionName(a + b), new NativeId(id)));
    }

    @Provide
    Arbitrary<String> nearlyHandles() {
        return Arbitraries.of("v:", "s:", "a", "b-1", "/", "..", ".", "@", "&", "=", " ", "\n", "ä", "\0")
                .list()
                .ofMaxSize(10)
                .map(parts -> String.join("", parts));
    }

    @Provide
    Arbitrary<String> hostile() {
        return Arbitraries.oneOf(
                Arbitraries.strings().ofMaxLength(60),
                nearlyHandles(),
                nearlyHandles().map(text -> "v:a/" + text),
                nearlyHandles().map(text -> "s:a/" + text));
    }
}
