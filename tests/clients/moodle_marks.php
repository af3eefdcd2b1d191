<?php
/* What a real Moodle makes of an export: imports a Moodle XML file and marks responses with Moodle's question engine.

     php moodle_marks.php MOODLE_FOLDER QUIZ.xml RESPONSES.json [PAGES_FOLDER] >marks.json

   RESPONSES.json has a list of responses for each question of the file; a response is the list of texts in the boxes, a
   choice by its text, and what was ticked by its texts with "; " between them. Where a folder for pages is given, each question's last response is written there as a page.
   The course that is made for it is deleted in the end. */

define('CLI_SCRIPT', true);
[$moodle, $quiz, $responses, $pages] = [$argv[1], realpath($argv[2]), $argv[3], isset($argv[4]) ? realpath($argv[4]) : null];
$wanted = json_decode(file_get_contents($responses), true, 16, JSON_THROW_ON_ERROR);
require("$moodle/config.php");
foreach (['course/lib.php', 'lib/questionlib.php', 'question/engine/lib.php', 'question/format.php',
        'question/format/xml/format.php'] as $file) {
    require_once("$CFG->dirroot/$file");
}
// Whatever Moodle or PHP complains about is to be heard.
set_debugging(DEBUG_DEVELOPER, true);
\core\session\manager::set_user(get_admin());

function course(): stdClass {
    $name = 'plymark ' . microtime(true);
    return create_course((object) ['fullname' => $name, 'shortname' => $name, 'category' => 1]);
}

/* A category in the course's question bank, which has a module of its own since Moodle 5.0. */
function category(stdClass $course): stdClass {
    $banks = 'core_question\local\bank\question_bank_helper';
    $context = class_exists($banks) && method_exists($banks, 'create_default_open_instance')
        ? context_module::instance($banks::create_default_open_instance($course, 'plymark')->id)
        : context_course::instance($course->id);
    return question_get_default_category($context->id, true) ?: question_make_default_categories([$context]);
}

/* The ids of the questions in a file, and what Moodle said while it imported them. */
function import(string $file, stdClass $course, stdClass $category): array {
    $format = new qformat_xml();
    $format->setCategory($category);
    $format->setContexts([context::instance_by_id($category->contextid)]);
    $format->setCourse($course);
    $format->setFilename($file);
    $format->setRealfilename(basename($file));
    $format->setMatchgrades('error');
    $format->setCatfromfile(true);
    $format->setContextfromfile(false);
    $format->setStoponerror(true);
    $format->set_display_progress(false);
    ob_start();
    $done = $format->importpreprocess() && $format->importprocess() && $format->importpostprocess();
    return [$format->questionids, trim(ob_get_clean()) . ($done ? '' : ' (not imported)')];
}

/* The choices of a list or of ticks, as they are shown, in the order of this attempt. */
function offered(question_definition $sub, question_attempt $attempt, int $index): array {
    $adapter = new question_attempt_step_subquestion_adapter($attempt->get_step(0), "sub{$index}_");
    $order = explode(',', $adapter->get_qt_var('_order'));
    return array_map(fn($id) => $sub->html_to_text($sub->answers[$id]->answer, FORMAT_HTML), $order);
}

/* What a browser would send for the texts in the boxes. */
function posted(question_definition $question, question_attempt $attempt, array $texts): array {
    $data = [];
    foreach (array_values($question->subquestions) as $place => $sub) {
        $index = $place + 1;
        $text = $texts[$place];
        if ($sub instanceof qtype_multichoice_multi_question) {
            $ticked = explode('; ', $text);
            foreach (offered($sub, $attempt, $index) as $number => $shown) {
                $data["sub{$index}_choice{$number}"] = in_array($shown, $ticked, true) ? '1' : '0';
            }
            continue;
        }
        if ($sub->qtype->name() === 'multichoice') {
            $chosen = array_search($text, offered($sub, $attempt, $index), true);
            $text = $chosen === false ? '' : (string) $chosen;
        }
        $data["sub{$index}_answer"] = $text;
    }
    return $data;
}

/* Each box: what part of its marks the response earns there, and what is said. */
function parts(question_definition $question, array $data): array {
    $found = [];
    foreach (array_values($question->subquestions) as $place => $sub) {
        $prefix = 'sub' . ($place + 1) . '_';
        $mine = array_filter($data, fn($name) => str_starts_with($name, $prefix), ARRAY_FILTER_USE_KEY);
        $response = array_combine(array_map(fn($name) => substr($name, strlen($prefix)), array_keys($mine)), $mine);
        if (!$sub->is_gradable_response($response)) {
            $found[] = [null, ''];
            continue;
        }
        [$fraction] = $sub->grade_response($response);
        if ($sub instanceof qtype_multichoice_multi_question) {
            $answer = null;
        } else if ($sub->qtype->name() === 'shortanswer') {
            $answer = $sub->get_matching_answer($response);
        } else {
            $answer = array_values($sub->answers)[(int) $response['answer']];
        }
        $found[] = [round((float) $fraction, 7), $answer ? $answer->feedback : ''];
    }
    return $found;
}

/* One attempt with deferred feedback, from its start to its end. */
function attempt(question_definition $question, array $texts, context $context): array {
    $usage = question_engine::make_questions_usage_by_activity('core_question_preview', $context);
    $usage->set_preferred_behaviour('deferredfeedback');
    $slot = $usage->add_question($question, $question->defaultmark);
    $usage->start_question($slot);
    $data = posted($question, $usage->get_question_attempt($slot), $texts);
    $usage->process_action($slot, $data);
    $usage->finish_all_questions();
    $mark = $usage->get_question_mark($slot);
    return [$usage, $slot, [
        'mark' => $mark === null ? 0.0 : round((float) $mark, 7),
        'parts' => parts($question, $data),
        'summary' => (string) $usage->get_question_attempt($slot)->get_response_summary(),
    ]];
}

function page(question_usage_by_activity $usage, int $slot): string {
    global $PAGE;
    $options = new question_display_options();
    $options->rightanswer = question_display_options::HIDDEN;
    $options->marks = question_display_options::MARK_AND_MAX;
    $PAGE->set_url('/');
    return $usage->render_question($slot, $options, '1');
}

$course = course();
$category = category($course);
$context = context::instance_by_id($category->contextid);
$PAGE->set_context($context);
[$ids, $said] = import($quiz, $course, $category);
$result = ['moodle' => $CFG->release, 'said' => $said, 'questions' => []];
foreach ($ids as $place => $id) {
    $question = question_bank::load_question($id, false);
    $files = get_file_storage()->get_area_files($context->id, 'question', 'questiontext', $id, 'id', false);
    $about = [
        'name' => $question->name,
        'category' => $DB->get_field('question_categories', 'name', ['id' => $question->category]),
        'max' => (float) $question->defaultmark,
        'files' => array_values(array_map(fn($file) => [$file->get_filename(), $file->get_mimetype(),
            $file->get_filesize()], $files)),
        'attempts' => [],
    ];
    foreach ($wanted[$place] as $texts) {
        [$usage, $slot, $about['attempts'][]] = attempt($question, $texts, $context);
        $about['summary'] = $usage->get_question_attempt($slot)->get_question_summary();
    }
    if ($pages !== null) {
        file_put_contents("$pages/$id.html", page($usage, $slot));
    }
    $result['questions'][] = $about;
}
delete_course($course, false);
echo json_encode($result, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
