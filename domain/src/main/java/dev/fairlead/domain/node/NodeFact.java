package dev.fairlead.domain.node;

import dev.fairlead.domain.access.Grant;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** A fact is something by which a storage knows a node; it is in the node_id only if the settings ask for it. */
public enum NodeFact {
    /** An address from which the node reaches the storage. */
    ADDRESS("address", "set CSI_NODE_ADDRESS on the node to the address that the storage host sees") {
        @Override
        Optional<String> told(NodeIdentity node) {
            return node.address();
        }

        @Override
        boolean isOne(String text) {
            return ADDRESSES.matcher(text).matches();
        }
    },
    /** The node's iSCSI initiator name. */
    IQN("iqn", "let the node's driver read /etc/iscsi/initiatorname.iscsi") {
        @Override
        Optional<String> told(NodeIdentity node) {
            return node.iqn().map(name -> name.toLowerCase(Locale.ROOT)); // targets compare names in lower case
        }

        @Override
        boolean isOne(String text) {
            return IQNS.matcher(text).matches();
        }
    },
    /** The node's NVMe host name. */
    NQN("nqn", "let the node's driver read /etc/nvme/hostnqn") {
        @Override
        Optional<String> told(NodeIdentity node) {
            return node.nqn();
        }

        @Override
        boolean isOne(String text) {
            return NQNS.matcher(text).matches();
        }
    },
    /** The name by which the node is remembered: its node name, or its host name. */
    NAME("nodeName", "set CSI_NODE_ID on the node to the name by which the storage knows it") {
        @Override
        Optional<String> told(NodeIdentity node) {
            return node.name();
        }

        @Override
        boolean isOne(String text) {
            return NAMES.matcher(text).matches();
        }
    };

    private static final Pattern ADDRESSES =
            Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
    private static final Pattern IQNS = Pattern.compile("(iqn|eui|naa)\\.[a-z0-9.:-]{1,219}");
    private static final Pattern NQNS = Pattern.compile("nqn\\.[A-Za-z0-9._:-]{1,219}");

    private static final Pattern NAMES = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");

    private final String part;
    private final String source;

    NodeFact(String part, String source) {
        this.part = part;
        this.source = source;
    }

    abstract Optional<String> told(NodeIdentity node);

    abstract boolean isOne(String text);

    /** Returns this fact as the node_id gives it; empty if it is absent or no possible value. */
    public Optional<String> of(NodeIdentity node) {
        return told(node).filter(text -> isOne(text) && Grant.isName(text));
    }

    /** Returns the fact's name among the parts of a node_id. */
    public String part() {
        return part;
    }

    /** Returns what to do so that a node's node_id has this fact. */
    public String remedy() {
        return "set nodeId.parts." + part + " to true in the main file of the nodes, and " + source;
    }
}
