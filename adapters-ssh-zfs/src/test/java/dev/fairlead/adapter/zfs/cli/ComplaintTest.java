package dev.fairlead.adapter.zfs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComplaintTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cannot open 'tank/v/x': dataset does not exist                                          | DOES_NOT_EXIST
            cannot open 'nope': no such pool 'nope'                                                 | DOES_NOT_EXIST
            could not find any snapshots to destroy; check snapshot names.                          | DOES_NOT_EXIST
            cannot create 'tank/v/x': dataset already exists                                        | ALREADY_EXISTS
            cannot create 'tank/no/x': parent does not exist                                        | PARENT_MISSING
            cannot receive new filesystem stream: destination 'tank/v/x' exists                     | DESTINATION_EXISTS
            cannot destroy 'tank/v/x': filesystem has dependent clones                              | DEPENDENT_CLONES
            cannot destroy 'tank/v/x': volume has dependent clones                                  | DEPENDENT_CLONES
            cannot destroy 'tank/v/x@s': snapshot has dependent clones                              | DEPENDENT_CLONES
            cannot destroy 'tank/v/x': filesystem has children                                      | CHILDREN
            cannot destroy 'tank/v/x': dataset is busy                                              | BUSY
            cannot unmount '/tank/v/x': target is busy                                              | BUSY
            cannot unmount '/tank/v/x': pool or dataset is busy                                     | BUSY
            cannot create 'small/v/x': out of space                                                 | OUT_OF_SPACE
            cannot release hold from snapshot 'tank/v/x@s': no such tag on this dataset             | NO_SUCH_TAG
            cannot hold snapshot 'tank/v/x@s': tag already exists on this dataset                   | ALREADY_EXISTS
            cannot set property for 'tank/v/x': size is greater than available space                | OUT_OF_SPACE
            cannot set property for 'tank/v/x': size is less than current used or reserved space    | SMALLER_THAN_USED
            cannot open 'tank': pool I/O is currently suspended                                     | SUSPENDED
            cannot create 'tank/v/x': permission denied                                             | NOT_PERMITTED
            sudo: a password is required                                                            | NOT_PERMITTED
            sh: 1: zfs: not found                                                                   | NO_PROGRAM
            cannot create 'tank/v/x': invalid property 'compresion'                                 | BAD_PROPERTY
            cannot set property for 'tank/v/x': 'volsize' must be a multiple of volume block size (64K)| BAD_PROPERTY
            something else                                                                          | OTHER
            """)
    void knows_the_words_of_zfs(String errors, Complaint complaint) {
        assertThat(Complaint.of(errors)).isEqualTo(complaint);
    }
}
