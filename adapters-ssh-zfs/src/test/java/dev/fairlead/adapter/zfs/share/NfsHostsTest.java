package dev.fairlead.adapter.zfs.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.volume.AccessMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NfsHostsTest {
    private static Grant grant(String node, String address, boolean readonly) {
        return new Grant(node, address, readonly, AccessMode.MULTI_NODE_MULTI_WRITER, false);
    }

    @Test
    void nobody_is_a_share_that_is_not_there() {
        assertThat(NfsHosts.of("rw,no_root_squash", Grants.NONE)).isEqualTo("off");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            on                                          | rw=10.0.0.1:10.0.0.2,ro=10.0.0.3
            rw                                          | rw=10.0.0.1:10.0.0.2,ro=10.0.0.3
            rw=@10.0.0.0/8,ro=*,no_root_squash          | no_root_squash,rw=10.0.0.1:10.0.0.2,ro=10.0.0.3
            sec=krb5p,rw,no_root_squash                 | sec=krb5p,no_root_squash,rw=10.0.0.1:10.0.0.2,ro=10.0.0.3
            no_subtree_check,rw,sec=krb5:krb5i,anon=99  | sec=krb5:krb5i,no_subtree_check,anon=99,rw=10.0.0.1:10.0.0.2,ro=10.0.0.3
            sec=sys,ro=*,sec=sys,rw=@10.0.0.0/8         | sec=sys,rw=10.0.0.1:10.0.0.2,ro=10.0.0.3
            """)
    void hosts_take_the_place_of_whomever_the_settings_let_in(String configured, String expected) {
        Grants grants = Grants.NONE
                .with(grant("a", "10.0.0.1", false))
                .with(grant("b", "10.0.0.2", false))
                .with(grant("c", "10.0.0.3", true));

        assertThat(NfsHosts.of(configured, grants)).isEqualTo(expected);
    }

    /** The security of a host is what was named before it, so one that came after the hosts would be none of theirs. */
    @ParameterizedTest
    @ValueSource(strings = {"sec=krb5p,rw", "rw,sec=krb5p", "no_root_squash,ro=*,sec=krb5p,rw"})
    void no_host_stands_before_the_security(String configured) {
        String value = NfsHosts.of(configured, Grants.NONE.with(grant("a", "10.0.0.1", false)));

        assertThat(value.indexOf("sec=krb5p")).isNotNegative().isLessThan(value.indexOf("rw="));
    }

    /** Each kind has hosts of its own then, and a node that stood with both would be let in by the first alone. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sec=sys,ro=*,sec=krb5p,rw | false
            -network 10.0.0.0/8       | false
            off                       | false
            sec=krb5:krb5p,rw         | true
            sec=sys,rw,sec=sys,ro=*   | true
            on                        | true
            """)
    void nodes_cannot_be_named_in_every_form(String configured, boolean takesHosts) {
        assertThat(NfsHosts.takesHosts(configured)).isEqualTo(takesHosts);
    }

    @Test
    void an_address_with_colons_is_one_host() {
        assertThat(NfsHosts.of("on", Grants.NONE.with(grant("a", "2001:db8::1", true))))
                .isEqualTo("ro=[2001:db8::1]");
    }
}
