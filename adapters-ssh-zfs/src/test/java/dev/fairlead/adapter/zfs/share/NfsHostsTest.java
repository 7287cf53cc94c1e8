package dev.fairlead.adapter.zfs.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.volume.AccessMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
            rw=@10.0.0.0/8,ro=*,no_root_squash          | rw=10.0.0.1:10.0.0.2,ro=10.0.0.3,no_root_squash
            no_subtree_check,rw,sec=krb5,anonuid=99     | rw=10.0.0.1:10.0.0.2,ro=10.0.0.3,no_subtree_check,sec=krb5,anonuid=99
            """)
    void hosts_take_the_place_of_whomever_the_settings_let_in(String configured, String expected) {
        Grants grants = Grants.NONE
                .with(grant("a", "10.0.0.1", false))
                .with(grant("b", "10.0.0.2", false))
                .with(grant("c", "10.0.0.3", true));

        assertThat(NfsHosts.of(configured, grants)).isEqualTo(expected);
    }

    @Test
    void an_address_with_colons_is_one_host() {
        assertThat(NfsHosts.of("on", Grants.NONE.with(grant("a", "2001:db8::1", true))))
                .isEqualTo("ro=[2001:db8::1]");
    }
}
