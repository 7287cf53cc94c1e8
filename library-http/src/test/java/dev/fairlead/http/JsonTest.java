package dev.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void the_elements_of_a_list_come_one_by_one_and_it_says_whether_the_list_is_whole() throws IOException {
        for (Set<String> keys : List.of(Set.<String>of(), Set.of("a"))) {
            List<String> taken = new ArrayList<>();

            assertThat(Json.each(new StringReader("[{\"a\": 1}, 2]"), keys, element -> taken.add(element.toString())))
                    .isTrue();
            assertThat(taken).containsExactly("{\"a\":1}", "2");
            assertThat(Json.each(new StringReader(" [] "), keys, element -> taken.add("none")))
                    .isTrue();
            for (String text :
                    List.of("", "{}", "[1", "[1,", "[1] 2", "[1 2]", "<html>", "[{\"a\": tru", "[{\"b\": [}]")) {
                assertThat(Json.each(new StringReader(text), keys, _ -> {}))
                        .as(text)
                        .isFalse();
            }
        }
    }

    @Test
    void keys_that_do_not_matter_are_passed_over_at_each_depth() throws IOException {
        List<String> taken = new ArrayList<>();
        String text = "[{\"a\": {\"b\": [{\"c\": 1, \"a\": \"x\"}, null], \"c\": {\"a\": 2}}, \"c\": [1, [2]]}]";

        assertThat(Json.each(new StringReader(text), Set.of("a", "b"), element -> taken.add(element.toString())))
                .isTrue();

        assertThat(taken).containsExactly("{\"a\":{\"b\":[{\"a\":\"x\"},null]}}");
    }

    @Test
    void a_text_that_breaks_off_is_not_the_same_as_one_that_ends() {
        Reader broken = new Reader() {
            private boolean told;

            @Override
            public int read(char[] into, int offset, int length) throws IOException {
                if (told) throw new IOException("the connection broke");
                told = true;
                String begin = "[{\"a\": 1}, {\"a\": ";
                begin.getChars(0, begin.length(), into, offset);
                return begin.length();
            }

            @Override
            public void close() {}
        };
        for (Set<String> keys : List.of(Set.<String>of(), Set.of("a"))) {
            assertThatThrownBy(() -> Json.each(broken, keys, _ -> {}))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the connection broke");
        }
    }
}
