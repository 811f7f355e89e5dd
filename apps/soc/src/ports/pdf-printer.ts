export type PdfPrinter = {
  /** The page as a PDF file. Rejects with an AppError 503 that says what to install or to set. */
  print(html: string): Promise<Buffer>
}
