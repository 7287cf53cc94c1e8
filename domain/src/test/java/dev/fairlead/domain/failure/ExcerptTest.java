package dev.fairlead.domain.failure;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ExcerptTest {
    @Test
    void plain_text_is_quoted() {
        assertThat(Excerpt.of("a b ä 😀")).isEqualTo("'a b ä 😀'");
        assertThat(Excerpt.of("")).isEqualTo("''");
    }

    @Test
    void what_would_forge_a_line_or_turn_the_text_around_is_masked() {
        assertThat(Excerpt.of("a\nb\u001b[31m\u202ec\u2028d")).isEqualTo("'a?b?[31m?c?d'");
    }

    @Test
    void long_text_is_cut_with_a_mark() {
        assertThat(Excerpt.of("x".repeat(80))).isEqualTo("'" + "x".repeat(80) + "'");
        assertThat(Excerpt.of("x".repeat(81))).isEqualTo("'" + "x".repeat(80) + "…'");
    }

    @Property
    void every_excerpt_is_one_short_line(@ForAll String text) {
        String excerpt = Excerpt.of(text);

        assertThat(excerpt.lines().count()).isEqualTo(1);
        assertThat(excerpt.codePointCount(0, excerpt.length())).isLessThanOrEqualTo(83);
    }
}
