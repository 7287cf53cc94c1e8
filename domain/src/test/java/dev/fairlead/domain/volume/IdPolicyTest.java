package dev.fairlead.domain.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.template.Template;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdPolicyTest {
    @ParameterizedTest
    @CsvSource({
        "pvc-a, 199, 9591, 564827850, 9505f747984a3c33622a5a587fde31af",
        "pvc-68f1d462-633b-4085-a634-899b88e5af74, 176, 12122, 2941879031, 1c364b683af2356512208798e2ae1b8e",
        "x, 111, 8704, 2363233923, 9dd4e461268c8034f5c8564e155c67a6"
    })
    void hashes_are_those_of_the_peer(String name, String crc8, String crc16, String crc32, String md5) {
        assertThat(IdHash.CRC8.of(name)).isEqualTo(crc8);
        assertThat(IdHash.CRC16.of(name)).isEqualTo(crc16);
        assertThat(IdHash.CRC32.of(name)).isEqualTo(crc32);
        assertThat(IdHash.MD5.of(name)).isEqualTo(md5);
        assertThat(IdHash.NONE.of(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({"md5, MD5", "MD5, MD5", "Crc8, CRC8", "CRC16, CRC16", "crc32, CRC32", "'', NONE"})
    void a_hash_is_named_in_any_case(String name, IdHash hash) {
        assertThat(IdHash.named(name)).isEqualTo(hash);
    }

    @Test
    void an_unknown_hash_is_refused_with_the_known_ones() {
        assertThatThrownBy(() -> IdHash.named("sha1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("sha1", "md5, crc8, crc16 or crc32");
    }

    @Test
    void a_plain_name_is_the_id() {
        NativeId id = id(IdPolicy.DEFAULT, "pvc-68f1d462-633b-4085-a634-899b88e5af74");

        assertThat(id.value()).isEqualTo("pvc-68f1d462-633b-4085-a634-899b88e5af74");
    }

    @Test
    void the_template_comes_before_the_hash() {
        Template template = Template.parse("{{ parameters.[csi.storage.k8s.io/pvc/name] }}-{{ name }}");
        Map<String, String> parameters = Map.of("csi.storage.k8s.io/pvc/name", "data");

        NativeId plain = new IdPolicy(Optional.of(template), IdHash.NONE).idFor(new CsiName("a"), parameters, 0);
        NativeId hashed = new IdPolicy(Optional.of(template), IdHash.MD5).idFor(new CsiName("a"), parameters, 0);

        assertThat(plain.value()).isEqualTo("data-a");
        assertThat(hashed.value()).isEqualTo(IdHash.MD5.of("data-a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "_a", "-a", "a b", "..", "../x", "a/b", "x; touch y #", "ä", "a\tb", "$(id)", "a@b"})
    void a_name_that_makes_no_id_is_refused_with_a_remedy(String name) {
        assertThatThrownBy(() -> id(IdPolicy.DEFAULT, name))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.InvalidRequest.class))
                .hasMessageContaining("idHash: md5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "ä", "x; touch y #", "../../etc"})
    void with_a_hash_every_name_makes_an_id(String name) {
        IdPolicy policy = new IdPolicy(Optional.empty(), IdHash.MD5);

        assertThat(id(policy, name).value()).matches("[0-9a-f]{32}");
    }

    @Test
    void a_template_that_makes_nothing_is_named() {
        IdPolicy policy = new IdPolicy(Optional.of(Template.parse("{{ nmae }}")), IdHash.NONE);

        assertThatThrownBy(() -> id(policy, "a")).hasMessageContainingAll("{{ nmae }}", "is empty", "idTemplate");
    }

    @Test
    void a_template_that_grows_over_128_characters_is_refused() {
        IdPolicy policy = new IdPolicy(Optional.of(Template.parse("{{name}}{{name}}")), IdHash.NONE);

        assertThatThrownBy(() -> id(policy, "a".repeat(65))).hasMessageContaining("130 characters long");
        assertThat(id(policy, "a".repeat(40)).value()).hasSize(80);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 6, 23, 41, 66})
    void a_name_as_kubernetes_gives_it_is_never_shortened(int overhead) {
        String name = "pvc-68f1d462-633b-4085-a634-899b88e5af74";

        NativeId id = IdPolicy.DEFAULT.idFor(new CsiName(name), Map.of(), overhead);

        assertThat(id.value()).isEqualTo(name);
    }

    @Property
    void handles_stay_within_128_bytes_with_room_for_a_snapshot(
            @ForAll("names") String name, @ForAll @IntRange(max = 66) int overhead) {
        NativeId id = IdPolicy.DEFAULT.idFor(new CsiName(name), Map.of(), overhead);

        int handle = overhead + id.value().length();
        assertThat(handle)
                .isLessThanOrEqualTo(Math.max(128 - 47, overhead + 40))
                .isLessThanOrEqualTo(128);
        assertThat(id.value()).matches("[A-Za-z0-9][A-Za-z0-9_-]*");
        assertThat(IdPolicy.DEFAULT.idFor(new CsiName(name), Map.of(), overhead))
                .isEqualTo(id);
    }

    @Property
    void distinct_names_have_distinct_ids(
            @ForAll("names") String one, @ForAll("names") String other, @ForAll @IntRange(max = 66) int overhead) {
        Assume.that(!one.equals(other));

        NativeId first = IdPolicy.DEFAULT.idFor(new CsiName(one), Map.of(), overhead);
        NativeId second = IdPolicy.DEFAULT.idFor(new CsiName(other), Map.of(), overhead);

        assertThat(first).isNotEqualTo(second);
    }

    @Property
    void an_id_that_looks_shortened_is_not_taken_for_one(
            @ForAll("names") String name, @ForAll @IntRange(min = 32, max = 100) int max) {
        String shortened = IdPolicy.shorten(name + "x".repeat(max), max);

        assertThat(IdPolicy.shorten(shortened, max)).isNotEqualTo(shortened);
    }

    @Property
    void shortening_keeps_a_readable_beginning_and_the_limit(
            @ForAll String text, @ForAll @IntRange(min = 32, max = 200) int max) {
        String shortened = IdPolicy.shorten(text, max);

        assertThat(shortened.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(max);
        if (!shortened.equals(text)) {
            assertThat(text).startsWith(shortened.substring(0, shortened.length() - 28));
        }
    }

    @Test
    void names_that_differ_only_at_the_end_stay_apart_when_shortened() {
        String one = IdPolicy.shorten("a".repeat(127) + "b", 81);
        String other = IdPolicy.shorten("a".repeat(127) + "c", 81);

        assertThat(one).isNotEqualTo(other).hasSize(81).startsWith("a".repeat(53) + "--");
        assertThat(other).hasSize(81);
    }

    @Test
    void there_is_no_shortening_below_the_hash() {
        assertThatThrownBy(() -> IdPolicy.shorten("abc", 31)).isInstanceOf(IllegalArgumentException.class);
    }

    @Provide
    Arbitrary<String> names() {
        Arbitrary<String> first = Arbitraries.strings().alpha().numeric().ofLength(1);
        Arbitrary<String> rest =
                Arbitraries.strings().alpha().numeric().withChars('-', '_').ofMaxLength(127);
        return net.jqwik.api.Combinators.combine(first, rest).as(String::concat);
    }

    private static NativeId id(IdPolicy policy, String name) {
        return policy.idFor(new CsiName(name), Map.of(), 0);
    }

    @Test
    void a_snapshot_keeps_room_for_its_name_however_long_the_name_of_its_connection_is() {
        assertThat(IdPolicy.maxSnapshotIdBytes(23)).isEqualTo(128 - 23);
        assertThat(IdPolicy.maxSnapshotIdBytes(253)).isEqualTo("pvc-".length() + 36 + 1 + 32);
    }
}
