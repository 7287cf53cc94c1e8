package dev.fairlead.adapter.freenas.client.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import dev.fairlead.adapter.freenas.client.ApiErrno;
import dev.fairlead.adapter.freenas.client.session.BoxWords;
import dev.fairlead.adapter.freenas.client.session.Reply;
import dev.fairlead.adapter.freenas.client.session.SessionException;
import dev.fairlead.adapter.freenas.client.session.SessionException.Kind;
import dev.fairlead.adapter.freenas.client.session.TruenasLogin;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RpcRepliesTest {
    private static final BoxWords WORDS =
            BoxWords.without(new TruenasLogin(Optional.empty(), Optional.empty(), Optional.empty()));

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{'id':1}; UNINTELLIGIBLE",
                "{'id':1,'error':null}; UNINTELLIGIBLE",
                "{'id':1,'error':'no'}; UNINTELLIGIBLE",
                "{'id':1,'error':{'message':'no'}}; UNINTELLIGIBLE",
                "{'id':1,'error':{'code':-32603,'message':'no'}}; UNTOLD",
                "{'id':1,'error':{'code':-32000,'message':'no'}}; NOT_DONE",
                "{'id':1,'error':{'code':-32001,'data':{'error':207}}}; LOGGED_OUT",
                "{'id':1,'error':{'code':-32001,'data':{'error':16,'reason':'Rate Limit Exceeded'}}}; LIMITED",
            })
    void what_says_nothing_about_the_call_is_no_reply(String message, Kind kind) {
        assertThatThrownBy(() -> reply(message))
                .isInstanceOfSatisfying(
                        SessionException.class,
                        thrown -> assertThat(thrown.kind()).isEqualTo(kind));
    }

    @Test
    void a_reply_is_a_result_or_a_refusal() throws SessionException {
        assertThat(reply("{'id':1,'result':null}")).isInstanceOf(Reply.Done.class);
        assertThat(reply("{'id':1,'result':1,'error':null}")).isInstanceOf(Reply.Done.class);
        assertThat(reply("{'id':1,'error':{'code':-32601,'message':'no'}}"))
                .isEqualTo(new Reply.Refusal(ApiErrno.ENOMETHOD, "no"));
        assertThat(reply("{'id':1,'error':{'code':-32001,'data':{'error':28,'reason':'full','extra':7}}}"))
                .isEqualTo(new Reply.Refusal(ApiErrno.ENOSPC, "full"));
    }

    private static Reply reply(String message) throws SessionException {
        return RpcReplies.of(JsonParser.parseString(message.replace('\'', '"')).getAsJsonObject(), WORDS);
    }
}
