package dev.fairlead.domain.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyTemplateTest {
    @ParameterizedTest
    @CsvSource({
        "{match:0}, zone7-rack3",
        "zone-{match:1}, zone-7",
        "zone-${match:1}, zone-7",
        "{match:2}.{match:1}, 3.7",
        "{match:1}{match:1}, 77",
        "{match:index}, 0",
        "{match:input}, zone7-rack3",
        "{match:3}x, x",
        "fixed, fixed",
        "$x{y}, $x{y}"
    })
    void places_are_filled_from_the_match(String template, String expected) {
        Matcher matcher = Pattern.compile("zone(\\d)-rack(\\d)(never)?").matcher("zone7-rack3");
        assertThat(matcher.matches()).isTrue();

        TopologyTemplate parsed = TopologyTemplate.parse(template, 3);

        assertThat(parsed.render(matcher.toMatchResult(), "zone7-rack3")).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{match:2}", "{match:99999999999}", "{match:}", "{match:groups}", "{match:-1}"})
    void a_place_that_nothing_fills_is_refused(String template) {
        assertThatThrownBy(() -> TopologyTemplate.parse(template, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'" + template + "'", "{match:0} to {match:1}");
    }

    @Test
    void a_value_is_never_read_as_a_template() {
        Matcher matcher = Pattern.compile("(.*)").matcher("{match:1}");
        assertThat(matcher.matches()).isTrue();

        assertThat(TopologyTemplate.parse("a{match:1}", 1).render(matcher, "{match:1}"))
                .isEqualTo("a{match:1}");
    }
}
