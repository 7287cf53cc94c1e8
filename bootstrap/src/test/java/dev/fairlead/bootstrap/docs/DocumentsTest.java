package dev.fairlead.bootstrap.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DocumentsTest {
    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)[^)]*\\)");
    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");

    /** A sentence's beginning: of a line, of a list's entry or a table's cell, or after the end of another sentence. */
    private static final Pattern CONDITION_BY_PLACE =
            Pattern.compile("(?m)(?:^[ >]*(?:[-*+] |\\d+\\. )?|[.!?:;)|*`] +)[*_]*Where\\s(?![^.?!]*\\?)");

    private final Repository repository = Repository.ofThisBuild();

    @Test
    void no_link_between_documents_is_broken() {
        var broken = repository.documents().stream().flatMap(this::brokenLinks).toList();

        assertThat(broken).isEmpty();
        assertThat(repository.documents()).hasSizeGreaterThan(40);
    }

    @Test
    void the_house_files_are_there_and_short_enough_to_be_read() {
        assertThat(repository.text("LICENSE")).contains("Apache License", "Version 2.0");
        assertThat(repository.text("CONTRIBUTING.md").lines().count()).isLessThanOrEqualTo(100);
        assertThat(repository.text("CHANGELOG.md")).contains("## [Unreleased]");
    }

    @Test
    void every_decision_record_says_what_was_decided_and_what_follows() {
        var records = repository.filesIn("docs/adr").stream()
                .filter(path -> path.getFileName().toString().matches("\\d{4}-.*\\.md"))
                .toList();

        assertThat(records)
                .hasSizeGreaterThanOrEqualTo(12)
                .allSatisfy(path -> assertThat(repository.text(
                                repository.root().relativize(path).toString()))
                        .contains("## Context", "## Decision", "## Consequences"));
    }

    @Test
    void no_condition_begins_with_the_word_for_a_place() {
        var found = repository.documents().stream()
                .filter(document -> document.startsWith(repository.root().resolve("docs")))
                .flatMap(this::conditionsByPlace)
                .toList();

        assertThat(found).as("sentences that begin with 'Where'; say 'If'").isEmpty();
    }

    private Stream<String> conditionsByPlace(Path document) {
        var name = repository.root().relativize(document).toString();
        var text = FENCED.matcher(repository.text(name)).replaceAll("");
        return CONDITION_BY_PLACE
                .matcher(text)
                .results()
                .map(match -> name + ": " + text.substring(match.start(), Math.min(match.end() + 40, text.length())));
    }

    private Stream<String> brokenLinks(Path document) {
        var text = FENCED.matcher(
                        repository.text(repository.root().relativize(document).toString()))
                .replaceAll("");
        List<String> targets =
                LINK.matcher(text).results().map(match -> match.group(1)).toList();
        return targets.stream()
                .filter(target -> !target.contains("://"))
                .filter(target -> !Files.exists(document.resolveSibling(target)))
                .map(target -> repository.root().relativize(document) + " -> " + target);
    }
}
