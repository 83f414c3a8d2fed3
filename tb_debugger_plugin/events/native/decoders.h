// Records of one file -> columns; events/reference.py is the readable twin and defines every answer.
//
// A decoder is fed pieces of one file in order. Its columns hold the rows of the last piece; its vocabulary grows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framing.h"
#include "tensors.h"
#include "vocabulary.h"
#include "wire.h"

namespace tbd {

// A DebugEvent's content: the wall time and the one member that counts.
struct Event {
  double wall_time;
  uint64_t member;
  Span content;
  int64_t offset;
};

// An empty column with room for as many rows as the last piece gave: its memory went to Python with its rows.
template <typename T>
void StartAnew(std::vector<T>& column, size_t rows) {
  column = std::vector<T>();
  column.reserve(rows);
}

// Rows of events.batches.TensorValues.
struct ValueColumns {
  std::vector<uint8_t> dtype;
  std::vector<int16_t> rank;
  std::vector<int64_t> size;
  std::vector<int32_t> shape;
  std::vector<int32_t> counts;  // Six a row.
  std::vector<int8_t> bad;

  void Append(const TensorSummary& summary, int32_t shape_id);

  void StartAnew(size_t rows) {
    tbd::StartAnew(dtype, rows);
    tbd::StartAnew(rank, rows);
    tbd::StartAnew(size, rows);
    tbd::StartAnew(shape, rows);
    tbd::StartAnew(counts, rows * kNumClasses);
    tbd::StartAnew(bad, rows);
  }
};

class Decoder {
 public:
  explicit Decoder(ReplaceInvalid replace) : vocabulary_(replace) {}
  virtual ~Decoder() = default;

  // Decodes the whole records at the start of a piece, and tells how many bytes were used.
  size_t Feed(const uint8_t* data, size_t size);

  const std::vector<Loss>& losses() const { return losses_; }
  const Vocabulary& vocabulary() const { return vocabulary_; }

 protected:
  virtual void Reset() = 0;
  // False if the content is not what the member says; nothing is appended then.
  virtual bool DecodeMember(const Event& event) = 0;

  int32_t ShapeId(const TensorSummary& summary, const std::vector<int64_t>& shape);

  Vocabulary vocabulary_;

 private:
  std::vector<Loss> losses_;
  int64_t offset_ = 0;
  bool resyncing_ = false;
};

class ExecutionDecoder : public Decoder {
 public:
  using Decoder::Decoder;

  struct Columns {
    std::vector<int64_t> offset;
    std::vector<double> wall_time;
    std::vector<int32_t> op_type, graph, location;
    std::vector<uint8_t> mode;
    std::vector<int32_t> num_inputs, num_outputs, num_values;
    std::vector<int64_t> input_tensor_id, output_tensor_id;
    std::vector<int32_t> output_device_id;
    ValueColumns values;
  } columns;

 protected:
  void Reset() override;
  bool DecodeMember(const Event& event) override;

 private:
  std::vector<Span> tensor_spans_;
  std::vector<TensorSummary> summaries_;
  std::vector<std::vector<int64_t>> shapes_;
  std::vector<int64_t> inputs_, outputs_;
  std::vector<int32_t> devices_;
  TensorReader tensors_;
  size_t rows_ = 0, inputs_in_all_ = 0, outputs_in_all_ = 0, values_in_all_ = 0;  // Of the last piece.
};

class TraceDecoder : public Decoder {
 public:
  using Decoder::Decoder;

  struct Columns {
    std::vector<int64_t> offset;
    std::vector<double> wall_time;
    std::vector<int32_t> op, output_slot;
    std::vector<uint8_t> mode;
    std::vector<int32_t> device;
    std::vector<int64_t> tensor_id;
    ValueColumns values;
  } columns;

 protected:
  void Reset() override;
  bool DecodeMember(const Event& event) override;

 private:
  TensorReader tensors_;
  size_t rows_ = 0;  // Of the last piece.
};

class GraphsDecoder : public Decoder {
 public:
  using Decoder::Decoder;

  struct Graph {
    int64_t offset;
    double wall_time;
    int32_t graph;
    std::string name;
    int32_t outer;
  };
  struct Device {
    int32_t device_id;
    std::string name;
  };
  struct Columns {
    std::vector<int64_t> offset;
    std::vector<double> wall_time;
    std::vector<int32_t> op, op_type, location, num_inputs, num_outputs, input_op, input_slot;
    std::vector<int64_t> output_tensor_id;
    std::vector<Graph> graphs;
    std::vector<Device> devices;
  } columns;

 protected:
  void Reset() override { columns = {}; }
  bool DecodeMember(const Event& event) override;

 private:
  bool DecodeOp(const Event& event);
  bool DecodeGraph(const Event& event);
  bool DecodeDevice(const Event& event);

  std::vector<Span> inputs_;
  std::vector<int64_t> outputs_;
};

class SourceFilesDecoder : public Decoder {
 public:
  using Decoder::Decoder;

  struct File {
    int64_t offset;
    std::string host_name, file_path;
    int64_t num_lines;
  };
  std::vector<File> files;

 protected:
  void Reset() override { files.clear(); }
  bool DecodeMember(const Event& event) override;
};

class StackFramesDecoder : public Decoder {
 public:
  using Decoder::Decoder;

  struct Frame {
    std::string frame_id;
    int32_t file_index, lineno;
    std::string function;
  };
  std::vector<Frame> frames;

 protected:
  void Reset() override { frames.clear(); }
  bool DecodeMember(const Event& event) override;
};

}  // namespace tbd
