package dev.fairlead.application.service.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListTokenTest {
    @Test
    void a_token_comes_back_as_it_was_given() {
        var token = new ListToken(new ConnectionName("nas"), "pvc-1@snap/x");

        assertThat(ListToken.parse(token.toString())).isEqualTo(token);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "invalid-token", "nas/", "/pvc-1", "../nas/pvc-1", "nas/../x", "nas/a b", "na s/x"})
    void any_other_text_is_not_one_of_ours(String text) {
        assertThatThrownBy(() -> ListToken.parse(text))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.StalePageToken.class));
    }
}
