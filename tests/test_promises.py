"""The 29 promises on reliability and security, each with the tests that hold it, and every one of these tests is there.

Most run in a reduced count here and in full with RANKLENS_LONG=1; figures in seconds or megabytes are printed by tests/bench.
"""

import ast
from dataclasses import dataclass
from functools import cache
from typing import Final

import pytest

from tests.conftest import REPOSITORY


@dataclass(frozen=True)
class Promise:
    """A fault or a threat, and what must hold.

    held   file → the names of the tests in it that hold it
    bench  scripts that print what it costs
    apart  what of it cannot be run here, and why
    """

    fault: str
    holds: str
    held: dict[str, tuple[str, ...]]
    bench: tuple[str, ...] = ()
    apart: str = ""


PROMISES: Final = {
    1: Promise(
        "a kill during a save", "every link that was told opens, and none is torn",
        {
            "tests/saved/test_crashes.py": ("test_whatever_moment_a_saver_is_killed_at_what_it_told_opens_and_nothing_is_torn",),
            "tests/store/test_folder.py": (
                "test_a_writer_killed_at_any_moment_loses_nothing_it_told_and_tears_nothing", "test_everything_is_synced_before_the_key_is_told",
            ),
        },
        apart="A loss of power cannot be caused here: the order of the syncs is tested in its place.",
    ),
    2: Promise(
        "a full or read-only disk at any call", "it is said, old links open, nothing half done is left",
        {
            "tests/store/test_folder.py": (
                "test_a_failing_disk_call_is_told_and_leaves_nothing_half_done",
                "test_a_disk_that_ends_in_the_middle_of_a_file_is_told_and_old_keys_open",
                "test_a_folder_that_may_not_be_written_to_is_told_and_old_keys_open",
            ),
            "tests/saved/test_saving.py": ("test_a_disk_that_fails_at_any_call_leaves_what_was_saved_and_nothing_of_the_new_one",),
            "tests/pages/test_saving.py": ("test_a_store_that_cannot_be_written_to_says_so",),
        },
    ),
    3: Promise(
        "writers of the same at the same moment", "all succeed, links are distinct, parts are shared",
        {
            "tests/saved/test_crashes.py": ("test_many_save_the_same_at_once_and_all_of_it_opens",),
            "tests/store/test_folder.py": ("test_eight_writers_at_once_lose_nothing_and_one_of_them_wins_each_name",),
            "tests/store/test_contract.py": (
                "test_of_sixteen_who_create_a_key_at_once_one_wins", "test_equal_blobs_are_kept_once_and_come_back_whole",
            ),
            "tests/store/test_garbage.py": ("test_no_order_of_a_save_and_a_collection_loses_what_was_saved",),
        },
    ),
    4: Promise(
        "bits that turn, parts that are cut", "the damage is named, no number is ever wrong",
        {
            "tests/saved/test_finding.py": ("test_every_changed_bit_is_found", "test_every_part_that_is_cut_short_or_missing_is_named"),
            "tests/store/test_contract.py": ("test_any_changed_bit_any_cut_and_a_lost_part_is_found",),
            "tests/store/test_sealed.py": ("test_any_changed_bit_and_any_cut_is_found",),
            "tests/pages/test_saving.py": ("test_a_damaged_and_a_newer_comparison_say_so_and_show_no_number",),
        },
    ),
    5: Promise(
        "an old link, a new version", "the same numbers for ever",
        {
            "tests/saved/test_golden.py": ("test_a_link_of_schema_1_opens_to_the_same_numbers_for_ever", "test_it_opens_to_what_it_was_saved_from"),
        },
    ),
    6: Promise(
        "a new link, an old version", "a message, no traceback",
        {
            "tests/saved/test_finding.py": ("test_a_link_of_a_later_version_gets_a_message",),
            "tests/store/test_sealed.py": ("test_a_later_schema_is_told_and_an_older_one_opens",),
            "tests/pages/test_saving.py": ("test_a_damaged_and_a_newer_comparison_say_so_and_show_no_number",),
        },
    ),
    7: Promise(
        "a shared address of a file to be downloaded", "every session gets its own bytes",
        {
            "tests/hosted/test_exports.py": (
                "test_two_sessions_whose_files_differ_in_one_byte_get_each_its_own", "test_two_sessions_get_each_its_own_without_our_route_too",
                "test_a_file_is_for_the_browser_whose_page_offers_it_and_every_refusal_is_the_same",
            ),
            "tests/pages/test_share.py": ("test_large_files_that_differ_where_streamlit_does_not_look_have_ids_of_their_own",),
        },
    ),
    8: Promise(
        "caches that are shared", "nobody sees the numbers of another's file of the same name",
        {"tests/pages/test_isolation.py": ("test_people_whose_files_look_alike_see_each_their_own_numbers",)},
    ),
    9: Promise(
        "links that are guessed", "128 bits or more, and one answer to whatever opens nothing",
        {
            "tests/saved/test_finding.py": (
                "test_a_token_has_at_least_128_bits", "test_nothing_that_is_nearly_a_token_opens",
                "test_any_text_may_be_asked_for_and_is_looked_up_by_its_digest_once", "test_unknown_expired_and_deleted_are_one_answer",
            ),
            "tests/pages/test_saving.py": ("test_whatever_the_reason_is_a_link_that_opens_nothing_has_one_page",),
        },
        bench=("saving",),
    ),
    10: Promise(
        "small files that become huge", "refused before memory is used; the files after them, and everybody else, go on",
        {
            "tests/readers/test_bombs.py": (
                "test_a_bomb_is_refused_with_a_sentence_and_the_next_file_is_read",
                "test_a_footer_that_says_few_rows_gives_no_more_than_those",
                "test_a_footer_that_says_small_pages_is_refused_and_the_next_file_is_read",
            ),
            "tests/readers/test_files.py": ("test_a_bomb_is_refused_by_its_ratio_and_a_small_repetitive_file_is_not",),
        },
        bench=("bombs",),
    ),
    11: Promise(
        "input that kills native code", "an error for who brought it; no crash in 10,000 cases, and no wrong number",
        {
            "tests/scoring/test_fuzz.py": (
                "test_random_inputs_are_scored_right_or_refused", "test_hits_that_no_reader_would_make_leave_pytrec_eval_unharmed",
            ),
            "tests/readers/test_parquet.py": (
                "test_a_damaged_file_is_a_message_or_reads_and_never_more",
                "test_a_flipped_bit_in_a_page_with_a_checksum_never_becomes_another_number",
                "test_a_flipped_bit_in_a_packed_file_with_a_checksum_is_found",
                "test_a_footer_that_lies_gives_no_more_rows_than_it_says_and_is_never_a_crash",
            ),
            "tests/pages/test_frame.py": (
                "test_nonsense_in_every_parameter_at_once_breaks_no_page", "test_nonsense_in_the_address_means_the_default",
            ),
            "tests/cli/test_refusals.py": ("test_a_cutoff_that_would_kill_native_code_is_refused_by_every_command",),
            "tests/model/test_measure.py": ("test_nonsense_is_refused_with_what_exists", "test_a_cutoff_that_does_not_exist_cannot_be_built"),
        },
        apart="A file without checksums can be damaged into another file that reads: Parquet's are optional and most writers leave them out, plain "
        "text has none. Every input's SHA-256 is shown, so that it can be held against its source's.",
    ),
    12: Promise(
        "endless or huge work", "refused by a limit, or ended by the clock with its process",
        {
            "tests/readers/test_child.py": (
                "test_a_file_over_the_time_limit_says_so_and_its_child_is_gone_with_all_that_it_started",
                "test_a_file_over_the_memory_limit_says_the_limit_and_the_way_out_and_the_next_is_read",
            ),
            "tests/readers/test_bombs.py": ("test_a_file_of_a_million_runs_is_refused",),
            "tests/hosted/test_uploads.py": ("test_an_upload_that_stalls_or_takes_too_long_is_ended",),
        },
        bench=("bombs",),
    ),
    13: Promise(
        "a flood of uploads", "refused at the budget of the session, the address and the server",
        {
            "tests/hosted/test_uploads.py": (
                "test_a_session_holds_its_share_until_the_page_has_taken_the_files",
                "test_many_sessions_of_one_address_have_one_share_and_others_go_on",
                "test_a_flood_is_refused_by_the_server_and_the_page_says_why", "test_a_flood_of_the_full_size_stays_within_a_host_s_budget",
            ),
        },
    ),
    14: Promise(
        "memory that only grows", "what a session held goes when it has left",
        {"tests/hosted/test_janitor.py": ("test_the_files_and_offers_of_sessions_that_have_left_go_and_nobody_has_to_come",)},
        bench=("memory",),
    ),
    15: Promise(
        "an upload that ends after its session", "it is not kept",
        {
            "tests/hosted/test_janitor.py": ("test_a_file_that_comes_in_after_its_session_has_ended_is_not_kept",),
            "tests/hosted/test_uploads.py": ("test_what_an_ended_session_still_sends_is_not_kept",),
        },
        bench=("memory",),
    ),
    16: Promise(
        "connections that drop", "no half file is used; the session goes on, or a new one begins",
        {
            "tests/hosted/test_uploads.py": ("test_an_upload_that_breaks_off_leaves_nothing_and_the_next_one_goes_through",),
            "tests/hosted/test_sessions.py": (
                "test_a_session_goes_on_for_its_own_browser_and_for_no_other", "test_a_session_of_a_server_that_was_started_anew_is_begun_anew",
            ),
        },
    ),
    17: Promise(
        "markup in ids, texts, names and titles", "it is shown as text; nothing runs, no request leaves",
        {
            "tests/browser/test_exports.py": (
                "test_nothing_that_stands_in_files_runs_or_is_fetched_by_the_pages",
                "test_nothing_that_stands_in_files_runs_or_is_fetched_by_the_report",
            ),
            "tests/exports/test_payloads.py": (
                "test_there_are_enough_payloads_and_each_is_its_own", "test_the_report_holds_only_elements_of_our_own",
                "test_the_deck_holds_payloads_as_text_and_names_no_other_place",
            ),
            "tests/pages/test_frame.py": ("test_marks_in_files_are_shown_and_never_obeyed", "test_broken_files_show_their_marks_too"),
            "tests/pages/test_saving.py": ("test_a_title_full_of_marks_is_shown_and_never_obeyed",),
        },
    ),
    18: Promise(
        "texts that a spreadsheet would run", "an apostrophe before them; numbers stay numbers and every id reads back",
        {
            "tests/exports/test_table.py": (
                "test_a_text_that_a_spreadsheet_would_run_gets_an_apostrophe", "test_any_other_text_reads_back_as_it_is",
                "test_numbers_are_full_doubles_and_never_get_an_apostrophe",
                "test_no_text_whatever_begins_a_formula_and_taking_the_apostrophe_off_gives_it_back",
            ),
            "tests/readers/test_queue_file.py": ("test_guarding_loses_no_id",),
            "tests/exports/test_payloads.py": ("test_no_cell_of_any_table_begins_a_formula", "test_a_head_that_came_from_a_file_is_a_cell_too"),
        },
        apart="There is no export to XLSX, so none of its cells can be a formula.",
    ),
    19: Promise(
        "texts that look like paths and addresses", "nothing outside is opened, nothing is asked for",
        {
            "tests/pages/test_addresses.py": (
                "test_the_watch_sees_what_it_is_there_to_see", "test_no_parameter_of_an_address_is_opened", "test_no_field_of_a_page_is_opened",
                "test_no_id_and_no_name_of_a_file_is_opened",
            ),
            "tests/cli/test_names.py": (
                "test_the_name_of_a_run_is_only_a_name", "test_an_address_in_place_of_a_file_is_refused_and_not_fetched",
                "test_what_is_given_in_place_of_a_link_opens_no_other_file",
            ),
            "tests/store/test_contract.py": ("test_a_text_from_outside_never_becomes_a_key",),
            "tests/saved/test_finding.py": ("test_an_owner_may_have_any_name_and_none_becomes_a_path",),
            "tests/store/test_address.py": ("test_an_endpoint_elsewhere_is_refused_before_anything_is_sent",),
        },
    ),
    20: Promise(
        "data that runs when it is read", "nothing is unpickled or evaluated; pickles and Arrow files are refused",
        {
            "tests/test_house.py": (
                "test_no_error_is_swallowed_nothing_is_unpickled_no_markup_is_let_through",
                "test_nothing_that_could_run_or_trust_what_it_reads_is_called",
                "test_the_linter_looks_for_unpickling_and_unsafe_loading_everywhere",
            ),
            "tests/readers/test_files.py": (
                "test_a_pickle_is_refused_and_never_opened", "test_feather_and_both_kinds_of_arrow_files_are_refused_by_name",
            ),
        },
    ),
    21: Promise(
        "frames, sniffing, referrers", "the headers stand on every answer",
        {
            "tests/hosted/test_headers.py": (
                "test_every_answer_carries_the_headers", "test_answers_from_outside_the_base_path_carry_them_too",
                "test_only_who_is_named_may_show_the_pages_inside_others",
            ),
            "tests/hosted/test_errors.py": ("test_files_that_a_page_offers_carry_the_headers_and_are_kept_nowhere",),
        },
    ),
    22: Promise(
        "other sites and other names", "foreign origins and hosts are refused",
        {
            "tests/hosted/test_hosts.py": (
                "test_a_foreign_name_is_refused", "test_a_page_of_another_server_may_not_connect_or_change_anything",
                "test_nothing_is_uploaded_without_the_token_of_the_page",
            ),
        },
    ),
    23: Promise(
        "somebody else's identity or session", "not believed, not resumed, not written into",
        {
            "tests/hosted/test_trusted_header.py": (
                "test_who_reaches_the_server_directly_is_nobody_whatever_they_say",
                "test_another_person_neither_writes_into_a_session_nor_takes_it_over", "test_nginx_overwrites_what_a_client_says_of_itself",
            ),
            "tests/hosted/test_sessions.py": ("test_an_upload_into_somebody_else_s_session_is_refused_in_a_sentence",),
            "tests/hosted/test_signing_in.py": ("test_a_cookie_that_was_made_up_is_nobodys",),
        },
    ),
    24: Promise(
        "a private comparison and somebody else", "the matrix of who may do what holds everywhere",
        {
            "tests/saved/test_access.py": ("test_everybody_may_do_what_the_table_says_and_nothing_else",),
            "tests/pages/test_audit.py": ("test_an_address_opens_what_the_rules_say_and_each_try_is_one_line",),
        },
    ),
    25: Promise(
        "deletion and expiry", "the link is dead at once, its parts go with the next collection, those of others stay",
        {
            "tests/saved/test_deleting.py": (
                "test_deleting_takes_every_link_every_list_and_every_record_at_once_and_the_parts_with_the_next_collection",
                "test_parts_that_another_comparison_or_a_series_needs_stay", "test_what_has_expired_is_tidied_and_what_has_not_stays",
            ),
            "tests/pages/test_saving.py": ("test_what_is_deleted_is_dead_at_once_where_it_is_open_too_and_nothing_of_it_is_kept",),
        },
        apart="What a backup of the operator's holds is theirs to delete: README says so.",
    ),
    26: Promise(
        "who did what", "one line for each deed, and no secret in it",
        {
            "tests/pages/test_audit.py": (
                "test_an_address_opens_what_the_rules_say_and_each_try_is_one_line", "test_a_new_link_and_a_deletion_are_one_line_each",
            ),
            "tests/hosted/test_errors.py": ("test_the_log_names_no_session_and_no_token_and_says_each_error_once",),
        },
    ),
    27: Promise(
        "errors that tell too much", "a reference on the screen, the detail in the log",
        {
            "tests/hosted/test_errors.py": (
                "test_what_a_page_raises_stays_in_the_log_and_the_page_shows_its_reference",
                "test_what_a_route_or_an_upload_raises_stays_in_the_log_too",
            ),
        },
    ),
    28: Promise(
        "backup and restore", "a copy that was taken while others save opens every link in it",
        {
            "tests/saved/test_crashes.py": ("test_a_copy_that_is_taken_while_others_save_opens_every_link_in_it",),
            "tests/store/test_backup.py": ("test_a_copy_taken_while_four_save_opens_whatever_is_in_it",),
        },
    ),
    29: Promise(
        "libraries with known faults", "none pinned below the version that mended it",
        {
            "tests/test_house.py": (
                "test_no_pinned_version_is_older_than_the_one_that_mended_its_advisory",
                "test_the_project_itself_asks_for_what_streamlit_does_not_ask_for",
                "test_every_requirement_is_pinned_and_hashed_and_names_no_place",
            ),
        },
        apart="A list of all advisories is on the network, which no test asks: run `pip-audit -r requirements.txt` before a release.",
    ),
}  # fmt: skip


@cache
def names_in(file: str) -> frozenset[str]:
    """The names of the tests in a file."""
    tree = ast.parse((REPOSITORY / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_the_table_has_a_row_for_each_of_the_29_promises() -> None:
    assert list(PROMISES) == list(range(1, 30))


@pytest.mark.parametrize("number", PROMISES)
def test_every_promise_is_held_by_tests_that_are_there(number: int) -> None:
    promise = PROMISES[number]
    assert promise.held or promise.apart
    for file, names in promise.held.items():
        assert names
        assert [name for name in names if name not in names_in(file)] == [], file
    for script in promise.bench:
        assert '__name__ == "__main__"' in (REPOSITORY / "tests" / "bench" / f"{script}.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("number", PROMISES)
def test_every_promise_is_said_in_words(number: int) -> None:
    promise = PROMISES[number]
    assert promise.fault[0].islower()
    assert promise.holds[0].islower() or promise.holds[0].isdigit()
    assert not promise.apart or promise.apart.endswith(".")
