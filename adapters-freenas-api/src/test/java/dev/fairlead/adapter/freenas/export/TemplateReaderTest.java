package dev.fairlead.adapter.freenas.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Places of comments that nothing fills. */
class TemplateReaderTest {
    private static List<Problem> problems(String template) {
        var problems = new Problems("test.yaml");
        var read = TemplateReader.comment(ExportedVolumes.file(Map.of("remark", template), problems), "remark");
        assertThat(read).isPresent();
        assertThat(problems.errors()).isEmpty();
        return problems.all();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ csi.name }} {{ name }}",
                "v{{csi.version}}",
                "{{{csi.[name]}}}",
                "{{#if csi.name}}by csi{{/if}}"
            })
    void a_comment_with_the_peers_name_or_version_is_warned_of(String template) {
        assertThat(problems(template)).extracting(Problem::path).containsExactly("remark");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "by csi.name",
                "{{ parameters.[csi.storage.k8s.io/pvc/name] }}",
                "{{ parameters.csi.name }}",
                "{{ name }}"
            })
    void other_comments_are_not(String template) {
        assertThat(problems(template)).isEmpty();
    }
}
