package dev.fairlead.domain.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.StorageException;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {
    private static final Map<String, Object> CONTEXT = Map.of(
            "name",
            "pvc-1",
            "parameters",
            Map.of(
                    "ns",
                    "NS1",
                    "csi.storage.k8s.io/pvc/name",
                    "data",
                    "a}}b",
                    "braces",
                    "empty",
                    "",
                    "odd key",
                    "odd"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "plain|plain",
                "{{name}}|pvc-1",
                "{{ name }}|pvc-1",
                "{{\tname\t}}|pvc-1",
                "{{ parameters.ns }}-{{ name }}|NS1-pvc-1",
                "{{parameters.[csi.storage.k8s.io/pvc/name]}}|data",
                "{{parameters.[odd key]}}|odd",
                "{{parameters.[a}}b]}}|braces",
                "{{[name]}}|pvc-1",
                "{{{parameters.ns}}}|NS1",
                "x{{missing}}y|xy",
                "x{{parameters.missing.deeper}}y|xy",
                "x{{name.deeper}}y|xy",
                "{{parameters}}|[object Object]",
                "{{! a comment }}a|a",
                "{{!-- with }} in it --}}a|a",
                "{{#if parameters.ns}}yes{{else}}no{{/if}}|yes",
                "{{#if parameters.missing}}yes{{else}}no{{/if}}|no",
                "{{#if parameters.empty}}yes{{else}}no{{/if}}|no",
                "a{{#if missing}}yes{{/if}}b|ab",
                "{{#if name}}{{#if missing}}1{{else}}2{{/if}}{{else}}3{{/if}}|2",
                "{{#if name}}a{{/if}}{{#if name}}b{{/if}}|ab",
                "single { brace } and }}|single { brace } and }}"
            })
    void renders_as_handlebars_does(String template, String expected) {
        assertThat(Template.parse(template).render(CONTEXT)).isEqualTo(expected);
    }

    @Test
    void values_are_escaped_as_the_peer_escapes_them() {
        Map<String, String> context = Map.of("x", "&<>\"'`=/");

        assertThat(Template.parse("{{x}}").render(context)).isEqualTo("&amp;&lt;&gt;&quot;&#x27;&#x60;&#x3D;/");
        assertThat(Template.parse("{{{x}}}").render(context)).isEqualTo("&<>\"'`=/");
        assertThat(Template.parse("&<>=").render(context)).isEqualTo("&<>=");
    }

    @Test
    void a_value_is_never_read_as_a_template() {
        assertThat(Template.parse("{{{x}}}").render(Map.of("x", "{{y}}", "y", "1")))
                .isEqualTo("{{y}}");
    }

    @Test
    void a_block_tag_takes_its_line_with_it() {
        String template = "a\n  {{#if x}}\n  b\r\n  {{else}}\r\nc\n{{/if}}\nd {{! kept }}\n{{! gone }}";

        assertThat(Template.parse(template).render(Map.of("x", "1"))).isEqualTo("a\n  b\r\nd \n");
        assertThat(Template.parse(template).render(Map.of())).isEqualTo("a\nc\nd \n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{{#each a}}{{/each}}|{{#each a}} is not supported",
                "{{#unless a}}{{/unless}}|{{#unless a}} is not supported",
                "{{#ifx}}{{/ifx}}|{{#ifx}} is not supported",
                "{{> part}}|partials are not supported",
                "{{lower name}}|helpers and arguments are not supported",
                "{{lookup a b}}|lookup is not supported",
                "{{this.name}}|this is not supported",
                "{{../name}}|not a path",
                "{{./name}}|not a path",
                "{{@root.name}}|not a path",
                "{{a/b}}|not a path",
                "{{a..b}}|not a path",
                "{{a.}}|not a path",
                "{{.}}|not a path",
                "{{\"a\"}}|not a path",
                "{{a[b]}}|not a path",
                "{{5}}|numbers are not supported",
                "{{}}|names nothing",
                "{{true}}|true is not supported",
                "{{^a}}{{/a}}|{{^…}} is not supported",
                "{{&a}}|{{&…}} is not supported",
                "{{~a}}|whitespace control",
                "{{a~}}|whitespace control",
                "{{{{raw}}}}|raw blocks",
                "\\{{a}}|backslash",
                "{{a|not closed",
                "{{{a}}|not closed",
                "{{!-- a }}|not closed",
                "{{a.[b}}|not a path",
                "{{#if a}}|has no end",
                "{{#if}}{{/if}}|names nothing",
                "{{/if}}|closes nothing",
                "{{#if a}}{{/each}}|closes nothing",
                "{{else}}|outside",
                "{{#if a}}{{else}}{{else}}{{/if}}|twice",
                "{{#if a}}{{else if b}}{{/if}}|{{else if}} is not supported"
            })
    void everything_else_is_refused_by_name_and_place(String template, String why) {
        assertThatThrownBy(() -> Template.parse(template))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why)
                .hasMessageContaining("at character ")
                .hasMessageContaining("expected: ");
    }

    @ParameterizedTest
    @ValueSource(ints = {33, 5000})
    void deep_nesting_is_refused(int depth) {
        String deep = "{{#if a}}".repeat(depth) + "{{/if}}".repeat(depth);

        assertThatThrownBy(() -> Template.parse(deep)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void the_result_is_bounded() {
        Template template = Template.parse("{{x}}".repeat(100));

        assertThatThrownBy(() -> template.render(Map.of("x", "=".repeat(4096)))).isInstanceOf(StorageException.class);
    }

    @Property
    void hostile_texts_are_read_or_refused(@ForAll("tagSoup") String text) {
        assertThatCode(() -> {
                    try {
                        Template.parse(text).render(CONTEXT);
                    } catch (IllegalArgumentException refused) {
                        assertThat(refused).hasMessageStartingWith("template: ");
                    }
                })
                .doesNotThrowAnyException();
    }

    @Property
    void a_text_without_tags_is_itself(@ForAll String text) {
        net.jqwik.api.Assume.that(!text.contains("{{"));

        assertThat(Template.parse(text).render(Map.of())).isEqualTo(text);
    }

    @Provide
    Arbitrary<String> tagSoup() {
        return Arbitraries.of(
                        "{{",
                        "}}",
                        "{{{",
                        "}}}",
                        "{",
                        "}",
                        "#if ",
                        "/if",
                        "else",
                        "name",
                        ".",
                        "[",
                        "]",
                        "!",
                        "--",
                        " ",
                        "\n",
                        "~",
                        "\\",
                        "a",
                        "{{#if name}}",
                        "{{/if}}",
                        "{{else}}",
                        "{{name}}",
                        "ä")
                .list()
                .ofMaxSize(24)
                .map(parts -> String.join("", parts));
    }
}
