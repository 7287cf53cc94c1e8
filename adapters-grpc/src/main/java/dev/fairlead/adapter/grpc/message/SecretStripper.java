package dev.fairlead.adapter.grpc.message;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import com.google.protobuf.UnknownFieldSet;
import csi.v1.Csi;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Writes a message for a log without what CSI marks as secret.
 *
 * <p>It goes by the {@code csi_secret} option of the field, at any depth, so that a secret field that the spec adds is
 * left out without a change here. Fields that the descriptor does not know, as a newer caller sends them, are left out
 * too. A mount option or an entry of a map that CSI does not mark, but whose name says that it is a secret, is
 * concealed by its name.
 */
public final class SecretStripper {
    private static final String CONCEALED = "***";
    private static final String SECRET = "password|passwd|passphrase|secret|token|credential|private.?key";
    private static final Pattern SECRET_KEY = Pattern.compile("(?i).*(?:" + SECRET + ").*");

    /** Kubernetes names Secrets in a class's parameters; a name is no secret. */
    private static final Pattern NAME_OF_SECRET = Pattern.compile("(?i).*-secret-(?:name|namespace)");

    private static final Pattern SECRET_OPTION =
            Pattern.compile("(?i)((?:^|[,\\s])[^,=\\s]*(?:" + SECRET + "|pass|pwd)[^,=\\s]*=)[^,]*");

    private SecretStripper() {}

    public static String text(Message message) {
        return TextFormat.printer().emittingSingleLine(true).printToString(strip(message));
    }

    static Message strip(Message message) {
        Message.Builder kept = message.toBuilder().setUnknownFields(UnknownFieldSet.getDefaultInstance());
        message.getAllFields().forEach((field, value) -> {
            if (field.getOptions().getExtension(Csi.csiSecret)) {
                kept.clearField(field);
            } else if (isMapOfTexts(field)) {
                kept.setField(
                        field,
                        ((List<?>) value)
                                .stream().map(SecretStripper::concealed).toList());
            } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                kept.setField(field, field.isRepeated() ? stripAll((List<?>) value) : strip((Message) value));
            } else if (field.isRepeated() && field.getJavaType() == FieldDescriptor.JavaType.STRING) {
                kept.setField(field, options((List<?>) value));
            }
        });
        return kept.build();
    }

    private static List<Message> stripAll(List<?> messages) {
        return messages.stream().map(message -> strip((Message) message)).toList();
    }

    private static boolean isMapOfTexts(FieldDescriptor field) {
        return field.isMapField()
                && field.getMessageType().findFieldByName("value").getJavaType() == FieldDescriptor.JavaType.STRING;
    }

    private static Message concealed(Object entry) {
        Message pair = (Message) entry;
        String key = String.valueOf(pair.getField(pair.getDescriptorForType().findFieldByName("key")));
        boolean secret = SECRET_KEY.matcher(key).matches()
                && !NAME_OF_SECRET.matcher(key).matches();
        return secret
                ? pair.toBuilder()
                        .setField(pair.getDescriptorForType().findFieldByName("value"), CONCEALED)
                        .build()
                : pair;
    }

    private static List<String> options(List<?> texts) {
        return texts.stream()
                .map(text -> SECRET_OPTION.matcher(String.valueOf(text)).replaceAll("$1" + CONCEALED))
                .toList();
    }
}
