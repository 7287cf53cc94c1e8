package dev.fairlead.application.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SuggestionTest {
    private static final List<String> KNOWN = List.of("host", "port", "username", "privateKey");

    @ParameterizedTest
    @CsvSource({"prot, port", "hots, host", "usernmae, username", "Port, port", "por, port", "privatKey, privateKey"})
    void a_slip_finds_what_was_meant(String word, String meant) {
        assertThat(Suggestion.nearest(word, KNOWN)).contains(meant);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tropo", "x", "rtop", "xprt", "password", ""})
    void a_word_that_is_far_from_all_finds_none(String word) {
        assertThat(Suggestion.nearest(word, KNOWN)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 900_000})
    void a_long_key_is_cut_in_what_is_told_of_it(int length) {
        String key = "k".repeat(length);
        var problems = new Problems("a.yaml");
        var file = ConfigNode.root(
                new ConfigValue.Mapping(Map.of(key, new ConfigValue.Scalar("", ConfigValue.Scalar.Type.STRING, 1)), 1),
                problems);

        file.reportUnread(ConfigNode.Unread.ERROR);

        assertThat(problems.all())
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem.toString()).hasSizeLessThan(300).contains("kkk…"));
    }
}
