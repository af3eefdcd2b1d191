# Runs Canvas' own code on packages: its importer up to the question hashes, its marking and its student analysis.
# See canvas.md. Usage: ruby canvas_points.rb CANVAS LINKS JOBS.json FOUND.json
# frozen_string_literal: true

require "active_support"
require "active_support/all"
require "active_record"
require "csv"
require "json"
require "logger"
require "nokogiri"
require "sanitize"
require "tmpdir"
require "zip"

CANVAS, LINKS, JOBS, FOUND = ARGV

# What reaches for Rails, the database or the site's settings.
module Rails
  def self.root = Pathname(CANVAS)
  def self.logger = (@logger ||= Logger.new($stderr, level: Logger::WARN))
end

class Anything
  def self.feature_enabled?(_name) = false
  def self.method_missing(*) = self
  def self.respond_to_missing?(*) = true
end

module SafeYAML
  def self.whitelist_class!(*) = nil
end

module ConfigFile
  def self.load(*) = nil
end

module GuardRail
  def self.activate(_where) = yield
end

module Account
  def self.site_admin = Anything
end

module UnzipAttachment
  THINGS_TO_IGNORE_REGEX = /\A\z/
end

module Canvas
  module Migration; end
end

module CC
  module Importer
    module Canvas
      # What is read of assignments, which a package of quizzes does not have.
      module AssignmentConverter
        include ::Canvas::Migration
      end
    end
  end
end

# Texts in English: the last one given, with its values.
module Telling
  def t(*given, **named)
    values = given.grep(Hash).reduce(named, :merge)
    given.grep(String).last.gsub(/%\{(\w+)\}/) { values[$1.to_sym] }
  end
end

module Qti; end
module Quizzes
  class QuizQuestion; end

  class QuizQuestionBuilder
    extend Telling
  end

  class QuizStatistics; end
end

module Importers
  class Importer
    class << self
      attr_accessor :item_class
    end
    extend Telling
  end
end

class AssessmentQuestionBank; end

# Of a class that is a table: the methods and constants that need none, taken from the real file.
def borrowed(file, within, *parts)
  text = File.read(File.join(CANVAS, file))
  parts.each do |part|
    found = text.lines.drop_while { |line| !line.start_with?("  #{part}") }
    raise "#{part} is not in #{file}" if found.empty?

    one_line = found.first.match?(/= "[^"]*"(\.freeze)?$/)
    last = one_line ? 0 : found.index { |line| line.match?(/^  end$|\]\.freeze$/) }
    within.class_eval(found[0..last].join, file)
  end
end

class AssessmentQuestion; end
borrowed("app/models/assessment_question.rb", AssessmentQuestion, "ALL_QUESTION_TYPES", "def self.variable_id")
borrowed("app/models/quizzes/quiz_question.rb", Quizzes::QuizQuestion, "Q_TEXT_ONLY", "Q_FILL_IN_MULTIPLE_BLANKS",
         "Q_MULTIPLE_DROPDOWNS", "Q_CALCULATED")
borrowed("app/models/quizzes/quiz_question_builder.rb", Quizzes::QuizQuestionBuilder,
         "def self.decorate_question_for_submission")

def real(*files) = files.each { |file| require File.join(CANVAS, file) }

%w[canvas_text_helper html_text_helper canvas_sanitize canvas_sort utf8_cleaner canvas_unzip].each do |gem|
  $LOAD_PATH << File.join(CANVAS, "gems", gem, "lib")
end
$LOAD_PATH << File.join(CANVAS, "gems/canvas_mimetype_fu/lib")
real "gems/canvas_sort/lib/canvas_sort", "gems/canvas_sanitize/lib/canvas_sanitize",
     "gems/html_text_helper/lib/html_text_helper", "gems/utf8_cleaner/lib/utf8_cleaner",
     "gems/canvas_unzip/lib/canvas_unzip"

PLUGIN = "gems/plugins/qti_exporter/lib"
real "lib/package_root", "lib/cc/cc_helper", "lib/canvas/migration/xml_helper"
module CC::Importer
  include CC::CCHelper
  include ::Canvas::Migration::XMLHelper
end
module CC::Importer::Canvas::AssignmentConverter
  include CC::Importer
end
real "lib/canvas/migration", "lib/canvas/migration/migrator_helper", "lib/canvas/migration/archive",
     "lib/canvas/migration/migrator", "lib/cc/importer/canvas/quiz_metadata_converter",
     "#{PLUGIN}/qti", "#{PLUGIN}/qti/flavors", "#{PLUGIN}/qti/html_helper", "#{PLUGIN}/qti/assessment_item_converter"
real(*%w[associate_interaction calculated_interaction choice_interaction extended_text_interaction fill_in_the_blank
         numeric_interaction order_interaction question_type_educated_guesser assessment_test_converter
         converter].map { |name| "#{PLUGIN}/qti/#{name}" })
class Quizzes::Quiz; end
real(*%w[assessment_question_importer assessment_question_bank_importer quiz_importer].map do |name|
  "app/models/importers/#{name}"
end)
real(*%w[base question_data answer_group raw_fields user_answer fill_in_multiple_blanks_question
         multiple_answers_question
         multiple_dropdowns_question numerical_question text_only_question unknown_question].map do |name|
  "app/models/quizzes/quiz_question/#{name}"
end)
real "app/models/quizzes/submission_grader"
I18n.load_path += Dir[File.join(CANVAS, "config/locales/{en,pt,es,fa}.yml")]

# Canvas gives the English text beside the key.
module WithDefault
  def t(key, default = nil, **values) = super(key, **(default ? { default: default } : {}), **values)
end
I18n.singleton_class.prepend(WithDefault)
$LOAD_PATH << File.join(LINKS, "lib")
require "canvas_link_migrator"
module CanvasQuizStatistics; end
real "app/models/quizzes/quiz_statistics/report", "app/models/quizzes/quiz_statistics/student_analysis"

# What the database knows after the import: the course and its files.
class Files
  attr_reader :attachment_path_id_lookup

  def initialize(files) = @attachment_path_id_lookup = files.to_h { |file| [file[:path_name], file[:migration_id]] }
  def context_path = "/courses/1"
  def root_folder_name = "course files"
  def fix_relative_urls? = true
  def supports_embedded_images = true
  def context_hosts = []
  def process_domain_substitutions(url) = url
  def lookup_attachment_by_migration_id(id) = { "id" => @attachment_path_id_lookup.values.index(id) + 1 }
  def convert_attachment_migration_id(id) = [@attachment_path_id_lookup.values.index(id) + 1, nil]
end

class Migration
  attr_reader :warnings

  def initialize(files)
    @warnings = []
    @links = CanvasLinkMigrator::ImportedHtmlConverter.new(migration_id_converter: Files.new(files))
  end

  # Canvas replaces the links after all is saved; here at once.
  def convert_html(*given, **options)
    made = @links.link_parser.convert(*given, **options)
    @links.replace!(made)
    @warnings.concat(@links.missing_links.map(&:to_s))
    @links.link_parser.reset!
    made
  end

  def add_warning(text, *) = @warnings << text
  def add_unique_warning(_key, text) = @warnings << text
end

class Package
  attr_reader :course, :migration, :quizzes

  def initialize(path)
    folder = Dir.mktmpdir
    @course = Qti::Converter.new(archive_file: File.open(path, "rb"), base_download_dir: folder).export
    @migration = Migration.new(@course[:file_map].values)
    @questions = @course[:assessment_questions][:assessment_questions].index_by { |each| each[:migration_id] }
    @id = 0
    @quizzes = @course[:assessments][:assessments].map do |quiz|
      quiz.merge(entries: quiz[:questions].map { |each| entry(each) })
    end
  ensure
    FileUtils.remove_entry(folder)
  end

  def entry(reference)
    return reference.merge(questions: reference[:questions].map { |q| entry(q) }) if reference[:questions]

    question = @questions.fetch(reference[:migration_id]).deep_dup
    question[:points_possible] = reference[:points_possible] if reference[:points_possible]
    Importers::AssessmentQuestionImporter.prep_for_import(question, @migration, :quiz_question)
    question[:id] = (@id += 1)
    question
  end
end

# What a browser would send for boxes that are ticked or not.
def ticked(question, names)
  unknown = names - question[:answers].pluck(:text)
  raise "#{question[:question_name]}: #{unknown} is not offered" unless unknown.empty?

  question[:answers].to_h do |answer|
    ["question_#{question[:id]}_answer_#{answer[:id]}", names.include?(answer[:text]) ? "1" : "0"]
  end
end

# What a browser would send for a question.
def sent(question, texts)
  return ticked(question, texts.first.split("; ")) if question[:question_type] == "multiple_answers_question"

  blanks = question[:answers].pluck(:blank_id).uniq
  raise "#{question[:question_name]}: #{texts.size} texts for #{blanks}" unless blanks.size == texts.size

  blanks.zip(texts).to_h do |blank, text|
    if question[:question_type] == "multiple_dropdowns_question" && text != ""
      # Where there are several lists, a choice says whose it is.
      here = question[:answers].select { |each| each[:blank_id] == blank }
      chosen = here.find { |each| each[:text] == text || each[:text].end_with?(": #{text}") }
      raise "#{question[:question_name]}: #{text} is not offered" unless chosen

      text = chosen[:id].to_s
    end
    ["question_#{question[:id]}_#{AssessmentQuestion.variable_id(blank)}", text]
  end
end

def item(question, asked)
  shown = Quizzes::QuizQuestionBuilder.decorate_question_for_submission(question.deep_dup, 1)
  {
    title: question[:question_name], type: question[:question_type], points: question[:points_possible],
    error: question[:qti_error] || question[:import_error],
    text: question[:question_text], inputs: Nokogiri::HTML5.fragment(shown[:question_text]).css(".question_input").size,
    answers: question[:answers],
    marks: (asked || []).map do |texts|
      { texts: texts, points: Quizzes::SubmissionGrader.score_question(question, sent(question, texts))[:points] }
    end
  }
end

# A student's attempt, marked by Canvas, as its report of responses sees it.
Attempt = Struct.new(:user, :user_id, :finished_at, :attempt, :quiz_data, :submission_data, :score)
User = Struct.new(:name, :sis_id)
Enrolment = Struct.new(:course_section)
Section = Struct.new(:name, :id, :sis_source_id)
Context = Struct.new(:section) do
  def root_account = self
  def trust_exists? = false
  def student_enrollments = self
  def active = self
  def where(**) = [Enrolment.new(section)]
end
Quiz = Struct.new(:context, :quiz_data)
Statistics = Struct.new(:quiz) do
  def includes_all_versions? = true
  def includes_sis_ids? = true
  def anonymous? = false
  def update_progress(*) = nil
end
Pseudonym = Struct.new(:sis_user_id)
module SisPseudonym
  def self.for(user, *, **) = Pseudonym.new(user.sis_id)
end

class Responses < Quizzes::QuizStatistics::StudentAnalysis
  attr_writer :submissions

  def submissions_for_statistics(*) = @submissions
  def preload_attachments(*) = nil
end

def sheet(quiz, students)
  attempts = students.each_with_index.map { |student, place| attempt(seen_by(quiz, student), student, place) }
  group = { "entry_type" => "quiz_group" }.with_indifferent_access
  stored = quiz[:entries].map { |each| each[:questions] ? group : each }
  report = Responses.new(Statistics.new(Quiz.new(Context.new(Section.new("Section 1", 7, "s-7")), stored)))
  report.submissions = attempts
  report.to_csv
end

# Of a group, the question that the student answers.
def seen_by(quiz, student)
  quiz[:entries].flat_map do |each|
    next [each] unless each[:questions]

    [each[:questions].find { |question| student["responses"].key?(question[:question_name]) } || each[:questions].first]
  end
end

def attempt(questions, student, place)
  data = questions.reduce({}) { |all, each| all.merge(texts_of(student, each)) }
  marked = questions.map { |each| Quizzes::SubmissionGrader.score_question(each, data) }
  shown = questions.map { |each| Quizzes::QuizQuestionBuilder.decorate_question_for_submission(each.deep_dup, 1) }
  Attempt.new(User.new(student["name"], student["sis_id"]), 100 + place, Time.utc(2026, 11, 16, 9, place), 1,
              shown, marked, marked.sum { |each| each[:points] })
end

def texts_of(student, question)
  texts = student["responses"][question[:question_name]]
  texts ? sent(question, texts) : {}
end

found = JSON.parse(File.read(JOBS)).map do |job|
  srand(6)
  I18n.locale = job["locale"] || "en"
  package = Package.new(job["package"])
  quizzes = package.quizzes.map do |quiz|
    items = quiz[:entries].flat_map { |each| each[:questions] || [each] }
    groups = quiz[:entries].select { |each| each[:questions] }
    quiz.except(:entries, :questions).merge(
      sheet: job["students"] && sheet(quiz, job["students"]),
      groups: groups.map { |each| each.slice(:title, :pick_count, :question_points) },
      items: items.map { |each| item(each, job["responses"][each[:question_name]]) }
    )
  end
  { package: job["package"], files: package.course[:file_map].values.pluck(:path_name), quizzes: quizzes,
    warnings: package.migration.warnings }
end
File.write(FOUND, JSON.pretty_generate(found))
