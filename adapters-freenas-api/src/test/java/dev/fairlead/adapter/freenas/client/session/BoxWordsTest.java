package dev.fairlead.adapter.freenas.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import dev.fairlead.adapter.freenas.client.ApiErrno;
import dev.fairlead.adapter.freenas.client.FieldError;
import dev.fairlead.application.config.Secret;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BoxWordsTest {
    private static final String PASSWORD = "pa\"ss\\word";
    private static final TruenasLogin LOGIN = new TruenasLogin(
            Optional.of("u"), Optional.of(new Secret("7-abcdefgh")), Optional.of(new Secret(PASSWORD)));

    private final BoxWords words = BoxWords.without(LOGIN);

    @Test
    void secrets_are_hidden_before_the_words_are_cut() {
        for (int before : new int[] {0, 590, 596, 599, 600}) {
            assertThat(words.shown("-".repeat(before) + "7-abcdefgh" + "-".repeat(700)))
                    .doesNotContain("7-a")
                    .hasSizeLessThanOrEqualTo(601);
        }
    }

    @Test
    void secrets_are_hidden_in_the_ways_a_box_writes_them() {
        assertThat(words.shown("key abcdefgh")).isEqualTo("key ***");
        assertThat(words.shown("plain " + PASSWORD)).isEqualTo("plain ***");
        assertThat(words.shown("json pa\\\"ss\\\\word")).isEqualTo("json ***");
        assertThat(words.shown("python 'pa\"ss\\\\word'")).isEqualTo("python '***'");
        assertThat(words.shown("line\nline\u0007")).isEqualTo("line line ".strip() + " ");
    }

    @Test
    void secrets_of_a_call_are_hidden_at_any_depth() {
        JsonElement arguments =
                JsonParser.parseString("[{'a':[{'secret':'s3cret-1'}],'password':'s3cret-2'}]".replace('\'', '"'));
        Reply shown = words.without(arguments.getAsJsonArray())
                .shown(new Reply.Refusal(
                        ApiErrno.EINVAL,
                        "no s3cret-1",
                        List.of(new FieldError("data.s3cret-2", "no s3cret-2", ApiErrno.EINVAL))));

        assertThat(shown.toString()).contains("no ***").doesNotContain("s3cret");
    }
}
