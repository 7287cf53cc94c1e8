package dev.fairlead.bootstrap.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigValue;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.ConfigValue.Scalar;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlReaderTest {
    private final Problems problems = new Problems("c.yaml");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            on          | STRING
            off         | STRING
            yes         | STRING
            NO          | STRING
            y           | STRING
            true        | BOOLEAN
            True        | BOOLEAN
            FALSE       | BOOLEAN
            tRUE        | STRING
            0777        | NUMBER
            0o777       | NUMBER
            010         | NUMBER
            089         | NUMBER
            1_000       | NUMBER
            0x1F        | NUMBER
            0b101       | NUMBER
            -12         | NUMBER
            1e3         | NUMBER
            1.5         | NUMBER
            .5          | NUMBER
            .inf        | NUMBER
            .NaN        | NUMBER
            1_          | STRING
            1.2.3       | STRING
            12:30:45    | STRING
            2001-12-14  | TIMESTAMP
            2001-12-14T21:59:43.10-05:00 | TIMESTAMP
            ~           | NULL
            null        | NULL
            Null        | NULL
            nul         | STRING
            +           | STRING
            -foo        | STRING
            """)
    void an_unquoted_scalar_means_what_js_yaml_says(String text, Scalar.Type type) {
        Mapping file = read("key: " + text + "\n");

        assertThat(file.entries().get("key")).isEqualTo(new Scalar(text, type, 1));
    }

    @Test
    void a_quoted_scalar_is_a_text_and_nothing_is_null() {
        Mapping file = read("a: '0777'\nb: \"true\"\nc:\nd: !!str 12\n");

        assertThat(types(file))
                .containsExactly(Scalar.Type.STRING, Scalar.Type.STRING, Scalar.Type.NULL, Scalar.Type.STRING);
    }

    @Test
    void every_value_knows_its_line() {
        Mapping file = read("# comment\na: 1\nb:\n  - x\n  - y: 2\n");

        assertThat(file.entries().get("a"))
                .isNotNull()
                .extracting(value -> value.line())
                .isEqualTo(2);
        assertThat(file.entries().get("b"))
                .isInstanceOfSatisfying(
                        ConfigValue.Sequence.class,
                        list -> assertThat(list.items())
                                .extracting(ConfigValue::line)
                                .containsExactly(4, 5));
    }

    @Test
    void merge_keys_give_what_the_mapping_itself_does_not_say() {
        Mapping file = read("""
                base: &base {a: 1, b: 2}
                other: &other {b: 3, c: 4}
                one:
                  <<: *base
                  b: mine
                two:
                  <<: [*base, *other]
                """);

        assertThat(texts(file, "one")).containsExactly("b=mine", "a=1");
        assertThat(texts(file, "two")).containsExactly("a=1", "b=2", "c=4");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            'a: 1
            a: 2'                | 2 | stands twice
            'a: 1
            ---
            b: 2'                | 2 | second document
            'a: *b'              | 1 | anchor that is not defined
            'a: &a
              b: *a'             | 2 | anchor that is not defined
            'a: !!binary aGk='   | 1 | tag
            'a: !secret x'       | 1 | tag
            'a: !!int x'         | 1 | not of the type
            '- a'                | 1 | is a list
            'just text'          | 1 | is a single value
            '[a, b]: c'          | 1 | key is not a single value
            'a: [1, 2'           | 1 | is not YAML
            'a: "open'           | 1 | is not YAML
            'a: b: c'            | 1 | is not YAML
            'a:
            	b: 1'               | 2 | is not YAML
            'a: 1
            <<: 3'               | 2 | merges what is not a mapping
            """)
    void what_js_yaml_refuses_is_refused_with_its_line(String text, int line, String what) {
        Optional<Mapping> file = YamlReader.read(text.getBytes(StandardCharsets.UTF_8), problems);

        assertThat(file).isEmpty();
        assertThat(problems.errors()).first().satisfies(problem -> {
            assertThat(problem.what()).contains(what);
            assertThat(problem.line()).isEqualTo(line);
        });
    }

    @Test
    void nothing_at_all_is_said_to_be_empty() {
        for (String text : List.of("", "# only a comment\n", "---\n", "~\n")) {
            var found = new Problems("c.yaml");

            assertThat(YamlReader.read(text.getBytes(StandardCharsets.UTF_8), found))
                    .isEmpty();
            assertThat(found.errors()).extracting(Problem::what).containsExactly("is empty");
        }
    }

    @Test
    void a_billion_laughs_are_not_laughed() {
        var text = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 12; i++) {
            text.append(
                    "a%d: &a%d [%s]\n".formatted(i, i, "*a%d, ".formatted(i - 1).repeat(10)));
        }

        Optional<Mapping> file = YamlReader.read(text.toString().getBytes(StandardCharsets.UTF_8), problems);

        assertThat(file).isEmpty();
        assertThat(problems.errors())
                .first()
                .satisfies(p -> assertThat(p.what()).contains("aliases repeat"));
    }

    @Test
    void what_is_too_large_too_deep_or_no_text_is_refused() {
        var tooLarge = new Problems("c.yaml");
        var tooDeep = new Problems("c.yaml");
        var noText = new Problems("c.yaml");
        var control = new Problems("c.yaml");

        assertThat(YamlReader.read(new byte[YamlReader.MAX_BYTES + 1], tooLarge))
                .isEmpty();
        assertThat(YamlReader.read("[".repeat(100_000).getBytes(StandardCharsets.UTF_8), tooDeep))
                .isEmpty();
        assertThat(YamlReader.read(new byte[] {'a', ':', ' ', (byte) 0xFF}, noText))
                .isEmpty();
        assertThat(YamlReader.read("a: 1\nb: \0\n".getBytes(StandardCharsets.UTF_8), control))
                .isEmpty();
        assertThat(tooLarge.errors()).extracting(Problem::what).containsExactly("is larger than 1 MiB");
        assertThat(tooDeep.errors()).hasSize(1);
        assertThat(noText.errors()).extracting(Problem::what).containsExactly("is not UTF-8 text");
        assertThat(control.errors())
                .extracting(Problem::what, Problem::line)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("is not YAML: holds the character U+0000", 2));
    }

    @Test
    void no_problem_shows_a_value() {
        for (String text : List.of(
                "password: *s3cret",
                "password: !s3cret x",
                "password: \"s3cret",
                "password: [s3cret",
                "a: s3cret: x")) {
            var found = new Problems("c.yaml");

            assertThat(YamlReader.read(text.getBytes(StandardCharsets.UTF_8), found))
                    .isEmpty();
            assertThat(found.all().toString()).doesNotContain("s3cret");
        }
    }

    @Property(tries = 2000)
    void never_throws(@ForAll("yamlish") String text) {
        var found = new Problems("c.yaml");

        Optional<Mapping> file = YamlReader.read(text.getBytes(StandardCharsets.UTF_8), found);

        assertThat(file.isPresent()).isNotEqualTo(found.hasErrors());
    }

    @Property(tries = 500)
    void never_throws_for_bytes(@ForAll byte[] bytes) {
        var found = new Problems("c.yaml");

        Optional<Mapping> file = YamlReader.read(bytes, found);

        assertThat(file.isPresent()).isNotEqualTo(found.hasErrors());
    }

    @Provide
    Arbitrary<String> yamlish() {
        Arbitrary<String> pieces = Arbitraries.of(
                "a",
                "b",
                ": ",
                ":",
                "- ",
                "\n",
                "  ",
                "\t",
                "[",
                "]",
                "{",
                "}",
                ", ",
                "&x ",
                "*x",
                "<<",
                "!!int ",
                "!t ",
                "'",
                "\"",
                "|",
                ">",
                "#",
                "---",
                "...",
                "%YAML 1.2\n",
                "? ",
                "\\",
                "\0",
                "é",
                "\uD800",
                "1",
                "~");
        return Arbitraries.oneOf(
                pieces.list().ofMaxSize(40).map(list -> String.join("", list)),
                Arbitraries.strings().ofMaxLength(60));
    }

    private Mapping read(String text) {
        Optional<Mapping> file = YamlReader.read(text.getBytes(StandardCharsets.UTF_8), problems);

        assertThat(problems.all()).isEmpty();
        return file.orElseThrow();
    }

    private static List<Scalar.Type> types(Mapping file) {
        return file.entries().values().stream()
                .map(value -> ((Scalar) value).type())
                .toList();
    }

    private static List<String> texts(Mapping file, String key) {
        return file.entries().get(key) instanceof Mapping mapping
                ? mapping.entries().entrySet().stream()
                        .map(e -> e.getKey() + "=" + ((Scalar) e.getValue()).text())
                        .toList()
                : List.of();
    }
}
